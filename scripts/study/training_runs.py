"""Trainings that a study needs: each is done once, and goes on where it was interrupted."""
import concurrent.futures
import json
import os
import subprocess


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
