-- A small world: two doors, one of them locked. plugins/README.md writes this plugin step by step.

local doors = { cellar = "locked", attic = "closed" }

return {
    name = "doors",
    api = 1,
    version = "1.0",
    capabilities = {
        {
            name = "open_door",
            description = "Open one door. Locked doors need force.",
            effects = "idempotent",
            parameters = {
                type = "object",
                required = { "id" },
                properties = { id = { type = "string", enum = { "cellar", "attic" } }, force = { type = "boolean" } },
                additionalProperties = false,
            },
            run = function(args)
                local state = doors[args.id]
                if state == "locked" and not args.force then
                    return nil, "it is locked; set `force`"
                end
                doors[args.id] = "open"
                return { opened = true, was = state }
            end,
        },
    },
}
