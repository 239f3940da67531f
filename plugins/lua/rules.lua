-- Decides about calls with the first rule that fits; without one, the host decides. Edit the list of rules.

local rules = {
    { name = "^delete_", deny = "nothing is deleted here; say what should go, and a person will do it" },
    { name = "^send_", ask = "this leaves the house" },
    { effects = "once", from = "server", deny = "capabilities of servers may only look" },
    { effects = "once", ask = "this cannot be undone" },
}

local function fits(rule, call)
    return (not rule.name or call.name:find(rule.name) ~= nil)
        and (not rule.effects or rule.effects == call.effects)
        and (not rule.from or rule.from == call.from)
end

return {
    name = "rules",
    api = 1,
    version = "1.0",
    hooks = {
        before_call = function(call)
            for _, rule in ipairs(rules) do
                if fits(rule, call) then
                    return rule.deny and { deny = rule.deny } or { ask = rule.ask }
                end
            end
        end,
    },
}
