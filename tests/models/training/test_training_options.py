"""Options of a training: which are refused, and which arguments a trainer gets."""

import pytest

from ir_coliee.models import TrainingOptions


@pytest.mark.parametrize(
    "wrong",
    [
        {"epochs": 0},
        {"learning_rate": 0},
        {"learning_rate": "fast"},
        {"learning_rate": float("inf")},
        {"batch_size": 0},
        {"accumulate": 0},
        {"precision": "int8"},
        {"seed": -1},
    ],
)
def test_an_option_that_cannot_be_is_refused_by_name(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        TrainingOptions(**wrong)


def test_an_adapter_that_is_none_is_refused():
    pytest.importorskip("peft")
    with pytest.raises(TypeError, match=r"adapter must be a peft\.LoraConfig, got a value of type str"):
        TrainingOptions(adapter="lora")


def test_an_adapter_that_also_changes_weights_of_the_base_is_refused():
    peft = pytest.importorskip("peft")
    with pytest.raises(ValueError, match=r"adapter\.bias must be 'none', got 'all'"):
        TrainingOptions(adapter=peft.LoraConfig(bias="all"))


def test_steps_of_warm_up_are_a_tenth_of_the_changes_of_the_weights():
    options = TrainingOptions(epochs=5, batch_size=4, accumulate=2)
    assert options.of_trainer("folder", num_examples=80)["warmup_steps"] == 5
    assert options.of_trainer("folder", num_examples=81)["warmup_steps"] == round(0.1 * 5 * 11)


@pytest.mark.parametrize("name", ["learning_rate", "per_device_train_batch_size", "seed", "output_dir"])
def test_an_argument_that_another_parameter_sets_is_refused(name):
    with pytest.raises(ValueError, match=f"arguments must not contain '{name}'"):
        TrainingOptions(arguments={name: 1})


def test_further_arguments_are_those_of_the_library_and_replace_the_defaults():
    given = TrainingOptions(arguments={"weight_decay": 0.1, "report_to": "tensorboard"})
    arguments = given.of_trainer("folder", num_examples=80)
    assert (arguments["weight_decay"], arguments["report_to"]) == (0.1, "tensorboard")
