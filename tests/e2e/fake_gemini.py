"""A stand-in for the Gemini service on 127.0.0.1: answers from a script, records what it was asked, and refuses what is plainly wrong."""

import json
import socketserver
import threading
import time
from http.server import BaseHTTPRequestHandler

KEY = "test-key-0123456789"


def text(words, finish="STOP"):
    """A response with a text."""
    return {
        "candidates": [{"content": {"role": "model", "parts": [{"text": words}]}, "finishReason": finish}],
        "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15},
    }


def calls(*wanted, signature="c2lnbmF0dXJl"):
    """A response with calls: pairs of a name and arguments, or triples with an id. The first one carries the signature."""
    parts = []
    for number, one in enumerate(wanted):
        name, arguments, *rest = one
        part = {"functionCall": {"id": rest[0] if rest else f"call-{number}", "name": name, "args": arguments}}
        if number == 0:
            part["thoughtSignature"] = signature
        parts.append(part)
    response = text("")
    response["candidates"][0]["content"]["parts"] = parts
    return response


def error(status, name, message, reason=None):
    details = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason, "domain": "googleapis.com"}] if reason else []
    return (status, {"error": {"code": status, "status": name, "message": message, "details": details}})


BAD_KEY = error(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", "API_KEY_INVALID")


def unknown_model(name):
    return error(404, "NOT_FOUND", f"models/{name} is not found for API version v1beta, or is not supported for generateContent.")


class Hang:
    """Accepts the request and never answers it."""


class HalfReply:
    """Promises more bytes than it sends, and closes."""


def history_problem(body):
    """What the service would refuse in the history, or nothing."""
    contents = body.get("contents") or []
    if not contents or contents[-1].get("role") != "user":
        return "the last content is not of the user"
    due = []
    for content in contents:
        parts = content.get("parts") or []
        responses = [part["functionResponse"] for part in parts if "functionResponse" in part]
        if due or responses:
            got = [(one.get("id"), one.get("name")) for one in responses]
            if got != due or len(responses) != len(parts):
                return f"responses {got} do not match the calls {due}"
        made = [part["functionCall"] for part in parts if "functionCall" in part]
        if made and "thoughtSignature" not in parts[0]:
            return "the thought signature is missing"
        due = [(one.get("id"), one.get("name")) for one in made]
    return "calls without responses" if due else None


class FakeGemini:
    """Each entry of `script` answers one generateContent: a response, (status, body), Hang or HalfReply. The last one stays."""

    def __init__(self, *script, models=("gemini-3.8-flash",), model_answer=None):
        self.script = list(script)
        self.models = models
        self.model_answer = model_answer
        self.requests = []
        self.paths = []
        self.connections = 0
        self.stopping = threading.Event()
        self.lock = threading.Lock()

    def next_answer(self):
        with self.lock:
            return self.script.pop(0) if len(self.script) > 1 else self.script[0]

    def __enter__(self):
        fake = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True
            wbufsize = -1

            def setup(self):
                super().setup()
                with fake.lock:
                    fake.connections += 1

            def log_message(self, *_):
                pass

            def answer(self, status, body):
                data = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json; charset=UTF-8")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)
                self.wfile.flush()

            def refuse_key(self):
                if self.headers.get("x-goog-api-key") != KEY or "key=" in self.path:
                    self.answer(*BAD_KEY)
                    return True
                return False

            def do_GET(self):
                fake.paths.append(self.path)
                answer = fake.model_answer
                if answer is Hang:
                    fake.stopping.wait(30)
                    return
                if answer is not None:
                    self.answer(*answer)
                    return
                name = self.path.rsplit("/", 1)[-1]
                if self.refuse_key():
                    return
                if name not in fake.models:
                    self.answer(*unknown_model(name))
                    return
                self.answer(200, {"name": f"models/{name}", "displayName": name, "supportedGenerationMethods": ["generateContent"]})

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                fake.paths.append(self.path)
                if self.refuse_key():
                    return
                name = self.path.rsplit("/", 1)[-1].split(":")[0]
                if name not in fake.models:
                    self.answer(*unknown_model(name))
                    return
                fake.requests.append(body)
                if problem := history_problem(body):
                    self.answer(400, {"error": {"code": 400, "status": "INVALID_ARGUMENT", "message": problem}})
                    return
                answer = fake.next_answer()
                if answer is Hang:
                    fake.stopping.wait(30)
                    self.close_connection = True
                elif answer is HalfReply:
                    self.send_response(200)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", "1000")
                    self.end_headers()
                    self.wfile.write(b'{"candidates": [{"content": {"role": "mod')
                    self.wfile.flush()
                    self.close_connection = True
                elif isinstance(answer, tuple):
                    self.answer(*answer)
                else:
                    self.answer(200, answer)

        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address = True
            daemon_threads = True
            request_queue_size = 64

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        self.server.shutdown()
        self.server.server_close()

    def environment(self, key=KEY, **more):
        return {"GEMINI_API_KEY": key, "GEMINI_BASE_URL": self.url, **more}

    def wait_for_requests(self, count, seconds=10):
        until = time.monotonic() + seconds
        while len(self.requests) < count and time.monotonic() < until:
            time.sleep(0.01)
        return len(self.requests) >= count
