-- Removes secrets from the replies of capabilities before the model, the events and the journal see them.

-- Lua patterns and their replacements.
local secrets = {
    { "sk%-[%w_-]+", "[key]" },
    { "AIza[%w_-]+", "[key]" },
    { "[Bb]earer%s+[%w._-]+", "Bearer [token]" },
    { "([Pp]assword%s*[:=]%s*)%S+", "%1[password]" },
    { "%d%d%d%d[ -]?%d%d%d%d[ -]?%d%d%d%d[ -]?%d%d%d%d", "[card number]" },
}

local function clean(value)
    if type(value) == "string" then
        for _, secret in ipairs(secrets) do
            value = value:gsub(secret[1], secret[2])
        end
    elseif type(value) == "table" then
        -- Items are replaced in place, so a list stays a list.
        for key, item in pairs(value) do
            value[key] = clean(item)
        end
    end
    return value
end

return {
    name = "redact",
    api = 1,
    version = "1.0",
    hooks = {
        after_call = function(call, reply)
            if reply.ok then
                return clean(reply.result)
            end
            return clean(reply.error.message)
        end,
    },
}
