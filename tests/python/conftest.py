pytest_plugins = ["pyaichat.fixtures"]
