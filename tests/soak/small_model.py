"""A model that is trained in seconds, for the scripts here."""
import subprocess


def small_model(nmt, work):
    settings = [f"model_dir={work}/model", "training.max_epochs=1", "model.embedding=32", "model.encoder.units=24",
                "model.decoder.units=32", "model.attention.units=24", "training.validate_every=100000", "text.merges=500"]
    subprocess.run([nmt, "train", "--quiet", "--config", "configs/en-fr.json", *(p for s in settings for p in ("--set", s))],
                   check=True)
    return f"{work}/model"
