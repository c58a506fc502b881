"""What a process takes up, for the scripts here."""


def resident_mib(pid):
    """0 once it has ended."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii") as f:
            return next((int(line.split()[1]) for line in f if line.startswith("VmRSS:")), 0) / 1024
    except (FileNotFoundError, ProcessLookupError):
        return 0


def by_quarter(readings):
    """The last reading of each quarter, in words."""
    if not readings:
        return "not read"
    return ", ".join(f"{readings[(k + 1) * len(readings) // 4 - 1]:.1f}" for k in range(4)) + " MiB"
