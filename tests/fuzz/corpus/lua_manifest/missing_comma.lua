return {
  name = "a"
  api = 1,
}