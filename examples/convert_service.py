"""A web service that converts records: POST a record to /sgf, /wei7, /wei7-2.2 or /giseong.

python examples/convert_service.py 8000
curl --data-binary @game.wei7 http://localhost:8000/sgf
"""

import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import wei7core as w7

FORMATS = ("wei7", "wei7-2.2", "sgf", "giseong")
LIMITS = w7.Limits(max_bytes=1 << 20, max_steps=10_000, max_points=52 * 52)


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        name = self.path.strip("/")
        length = int(self.headers.get("Content-Length", 0))
        if name not in FORMATS or length > LIMITS.max_bytes:
            self.answer(400, b"unknown format or record too long\n")
            return
        losses: list[w7.Loss] = []
        try:
            game = w7.loads(self.rfile.read(length), limits=LIMITS)
            data = w7.dumps(game, format=name, losses=losses)
        except (w7.Wei7Error, ValueError) as error:
            self.answer(422, f"{error}\n".encode())
            return
        self.answer(200, data, losses)

    def answer(self, status: int, body: bytes, losses: "list[w7.Loss] | None" = None) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Losses", str(len(losses or ())))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def server(port: int) -> ThreadingHTTPServer:
    return ThreadingHTTPServer(("127.0.0.1", port), Handler)


if __name__ == "__main__":
    server(int(sys.argv[1])).serve_forever()
