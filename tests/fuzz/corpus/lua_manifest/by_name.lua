local m = { name = "a", api = 1, hooks = { on_event = function() end } }
return m