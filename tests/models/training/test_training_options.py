"""Options of a training: which are refused, and which arguments a trainer gets."""

import pytest

from ir_coliee.models import TrainingOptions

WRONG = {"epochs": [0], "learning_rate": [0, "fast", float("inf")], "batch_size": [0], "accumulate": [0]}
WRONG |= {"precision": ["int8"], "seed": [-1]}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in WRONG.items() for value in values])
def test_an_option_that_cannot_be_is_refused_by_name(name, value):
    with pytest.raises(ValueError, match=name):
        TrainingOptions(**{name: value})


def test_an_adapter_that_is_none_or_changes_weights_of_the_base_is_refused():
    peft = pytest.importorskip("peft")
    with pytest.raises(TypeError, match=r"adapter must be a peft\.LoraConfig, got a value of type str"):
        TrainingOptions(adapter="lora")
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
