"""Trainings that a study needs: each is done once, and goes on where it was interrupted."""
import concurrent.futures
import glob
import json
import os
import subprocess
import sys


def check_settings(folder, settings):
    """A folder's trainings, if there are any, must be of these settings, which it keeps; where it has kept none, they are
    taken to be."""
    path = os.path.join(folder, "settings.json")
    logs = glob.glob(os.path.join(glob.escape(folder), "**", "log.jsonl"), recursive=True)
    if not logs or not os.path.exists(path):
        os.makedirs(folder, exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            json.dump(settings, f)
    with open(path, encoding="utf-8") as f:
        kept = json.load(f)
    changed = [key for key, value in settings.items() if kept.get(key) != value]
    if changed:
        sys.exit(f"{os.path.basename(sys.argv[0])}: '{folder}' holds trainings with other settings ({', '.join(changed)}): "
                 "move it away")


def events(folder, kind):
    """What log.jsonl of a model directory has of one kind of event; nothing if there is no log."""
    try:
        with open(os.path.join(folder, "log.jsonl"), encoding="utf-8") as f:
            return [e for e in map(json.loads, f) if e["event"] == kind]
    except FileNotFoundError:
        return []


def is_finished(folder):
    stops = events(folder, "stop")
    return bool(stops) and stops[-1]["reason"] != "signal"


def figures(nmt, folder):
    """Minutes of a finished training, and what eval --json says of its validation set; nothing if it is not finished."""
    if not is_finished(folder):
        return None
    with open(os.path.join(folder, "config.json"), encoding="utf-8") as f:
        valid = json.load(f)["data"]["valid"]
    result = subprocess.run([nmt, "eval", "-q", "--json", "--model", folder, "--source", valid["source"],
                             "--reference", valid["target"], "--threads", "1"], check=True, capture_output=True, text=True)
    return events(folder, "stop")[-1]["seconds"] / 60, json.loads(result.stdout)


def train_once(nmt, config, folder, settings, one_thread=False):
    """Trains a config in a folder, if that was not done before. With one thread the same bytes come out however busy the
    machine is."""
    if is_finished(folder):
        return
    start = "--resume" if events(folder, "checkpoint") else "--restart"
    command = [nmt, "train", "--quiet", start, "--config", config]
    if one_thread:
        settings = [*settings, "training.threads=1"]
    for setting in [f"model_dir={folder}", *settings]:
        command += ["--set", setting]
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    subprocess.run(command, check=True)


def train_rows(jobs, train, rows):
    """Trains rows (name, settings), so many at the same time; returns the names of those that nmt could not train."""
    def attempt(row):
        try:
            train(*row)
        except subprocess.CalledProcessError:
            return [row[0]]
        return []

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return sum(pool.map(attempt, rows), [])
