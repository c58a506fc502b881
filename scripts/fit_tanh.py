#!/usr/bin/env python3
"""Fits the coefficients of real_tanh in include/math/elementary.h: tanh(x) = x P(x²) / Q(x²) on [-9, 9].

Lawson's algorithm: a weighted least-squares fit of P - Q f, the weights growing where the relative error is large,
until the largest error is as small as it gets. Needs NumPy."""
import numpy

DEGREE = 4
END = 9.0
POINTS = 3000
ROUNDS = 200


def main():
    nodes = (numpy.cos(numpy.pi * (numpy.arange(POINTS) + 0.5) / POINTS) + 1) / 2 * END
    f = numpy.tanh(nodes) / nodes
    y = (nodes / END) ** 2
    powers = y[:, None] ** numpy.arange(DEGREE + 1)
    weights, denominator, best = numpy.ones(POINTS), numpy.ones(POINTS), (1.0, None)
    for _ in range(ROUNDS):
        scale = numpy.sqrt(weights) / (denominator * f)
        matrix = numpy.hstack([powers, -f[:, None] * powers[:, 1:]]) * scale[:, None]
        norms = numpy.linalg.norm(matrix, axis=0)
        solution = numpy.linalg.lstsq(matrix / norms, f * scale, rcond=None)[0] / norms
        p, q = solution[:DEGREE + 1], numpy.concatenate([[1], solution[DEGREE + 1:]])
        denominator = powers @ q
        error = numpy.abs(powers @ p / denominator / f - 1)
        if error.max() < best[0]:
            best = (error.max(), (p, q))
        weights *= (error / error.mean()) ** 0.5 + 1e-9
        weights /= weights.mean()
    for name, values in zip("PQ", best[1]):
        print(name, " ".join(f"{v / END ** (2 * i):.9e}" for i, v in enumerate(values)))
    print(f"largest relative error {best[0]:.2e}")


main()
