"""Connections to nmt serve that a usual client does not make: slow, half closed, gone, many, pipelined.

    connections.py PORT SOCKET SECONDS    SECONDS: after which a request that is not complete is ended
"""
import json
import re
import socket
import struct
import sys
import time
import urllib.request

port, path, patience = int(sys.argv[1]), sys.argv[2], float(sys.argv[3])
words = "man woman dog horse street park ball child red blue"
long_text = " ".join(f"The {word} is here." for word in words.split() * 40)


def connect():
    return socket.create_connection(("127.0.0.1", port), timeout=60)


def connect_unix():
    one = socket.socket(socket.AF_UNIX)
    one.settimeout(60)
    one.connect(path)
    return one


def request(text, version="1.1"):
    body = json.dumps({"q": text, "source": "en", "target": "fr"}).encode()
    return (f"POST /translate HTTP/{version}\r\nHost: x\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n").encode() + body


def metric(name):
    text = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics").read().decode()
    return float(re.search(rf"^{re.escape(name)} (.*)$", text, re.M).group(1))


def read_all(one):
    received = b""
    try:
        while piece := one.recv(65536):
            received += piece
    except ConnectionResetError:
        pass
    return received


def wait_until(what, condition):
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def half_closed():
    for one, version in (connect(), "1.1"), (connect(), "1.0"), (connect_unix(), "1.1"):
        one.sendall(request(long_text, version))
        one.shutdown(socket.SHUT_WR)
        received = read_all(one)
        assert b" 200 OK" in received and received.rstrip().endswith(b"}"), received[-200:]


def is_cancelled(connecting, reset):
    """Goes away while the job runs, unless that has ended before."""
    before = metric('nmt_jobs_total{result="cancelled"}')
    one = connecting()
    one.sendall(request([long_text] * 2))
    time.sleep(0.03)
    if reset:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    one.close()
    wait_until("no job is open", lambda: metric("nmt_open_jobs") == 0)
    return metric('nmt_jobs_total{result="cancelled"}') > before


def gone():
    for connecting in connect, connect_unix:
        for reset in False, True:
            assert any(is_cancelled(connecting, reset) for _ in range(30)), (connecting, reset)


def pipelined():
    one = connect()
    one.sendall(b"".join(request(f"{number}") for number in range(30)) + b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    answers = re.findall(rb'\{"translatedText":"(\d+)"\}', read_all(one))
    assert answers == [b"%d" % number for number in range(30)], answers


def many():
    idle = [connect() for _ in range(400)]
    assert metric("nmt_connections") >= 400
    one = connect()
    one.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    assert b'{"status":"ok"}' in read_all(one)
    for each in idle:
        each.close()


def odd():
    for text in b"\r\n\r\n", b"GET\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00", b"GET / HTTP/1.1\r\n\r\n", b"x" * 100000, \
            b"POST /translate HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", \
            b"POST /translate HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999999\r\n\r\n", \
            b"POST /translate HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", \
            b"GET /health HTTP/1.1\r\nHost: x\r\n" + b"".join(b"X%d: y\r\n" % number for number in range(5000)) + b"\r\n":
        one = connect()
        try:
            one.sendall(text)
            one.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        assert b" 200 OK" not in read_all(one), text
    assert metric("nmt_open_jobs") == 0


def unclear():
    """Requests of which a proxy might see another end: their connection is closed with an answer."""
    second = b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"
    for headers in b"Content-Length: 0\r\nContent-Length: %d" % len(second), b"Content-Length: 5\r\nTransfer-Encoding: chunked", \
            b"Transfer-Encoding: chunked\r\nContent-Length: 5", b"Transfer-Encoding: gzip", b"Transfer-Encoding: gzip, chunked", \
            b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", b"Content-Length: 5\r\ncontent-length: 5", b"Transfer-Encoding: xchunked":
        one = connect()
        one.sendall(b"POST /translate HTTP/1.1\r\nHost: x\r\n" + headers + b"\r\n\r\n0\r\n\r\n" + second)
        received = read_all(one)
        assert received.startswith(b"HTTP/1.1 400 ") and b"Connection: close" in received and received.count(b"HTTP/1.1 ") == 1 and \
            received.endswith(b'{"error":"Invalid request: it is not clear where its body ends"}\n'), (headers, received)


def slow():
    """A request whose headers, or whose body, never come to an end, however often a byte comes."""
    before = metric("nmt_connections_late_total")
    begun = time.monotonic()
    dripping = [connect() for _ in range(3)]
    dripping[1].sendall(request("x" * 1000)[:-900])
    dripping[2].sendall(b"POST /translate HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
    drops = [b"G", b"x", b"1\r\nx\r\n"]
    ended = [0.0] * 3
    while not all(ended) and time.monotonic() < begun + 10 * patience + 10:
        for number, one in enumerate(dripping):
            try:
                if not ended[number]:
                    one.sendall(drops[number])
            except OSError:
                ended[number] = time.monotonic() - begun
        time.sleep(0.1)
    assert all(patience - 0.5 < seconds for seconds in ended), ended
    assert metric("nmt_connections_late_total") == before + 3


for test in half_closed, gone, pipelined, many, odd, unclear, slow:
    test()
    print(test.__name__)
