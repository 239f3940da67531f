-- Dice and random tables: random results that the model cannot invent.

local tables = {
    weather = { "clear sky", "drizzle", "fog", "a thunderstorm", "snow in the wrong season" },
    rumour = { "the miller counts his sacks at night", "the old well answers", "nobody has seen the ferryman since spring" },
}

-- Splits "2d6+1" into count, sides and bonus. The bonus is optional.
local function parse(dice)
    local count, sides, bonus = dice:match("^(%d*)d(%d+)([+-]?%d*)$")
    if not sides then
        return nil
    end
    return tonumber(count) or 1, tonumber(sides), tonumber(bonus) or 0
end

local function names()
    local list = {}
    for name in pairs(tables) do
        list[#list + 1] = name
    end
    table.sort(list)
    return table.concat(list, ", ")
end

return {
    name = "dice",
    api = 1,
    version = "1.0",
    capabilities = {
        {
            name = "roll_dice",
            description = "Roll dice, written as in games: 2d6+1 is two dice of six sides, plus one.",
            effects = "read",
            headline = "total",
            parameters = {
                type = "object",
                required = { "dice" },
                properties = { dice = { type = "string", description = "such as d20, 3d6 or 2d8-1", maxLength = 12 } },
                additionalProperties = false,
            },
            run = function(args)
                local count, sides, bonus = parse(args.dice)
                if not count or count < 1 or count > 100 or sides < 2 or sides > 1000 then
                    return nil, "write 1 to 100 dice of 2 to 1000 sides, such as 2d6+1"
                end
                local rolls, total = {}, bonus
                for i = 1, count do
                    rolls[i] = math.random(sides)
                    total = total + rolls[i]
                end
                return { rolls = rolls, bonus = bonus, total = total }
            end,
        },
        {
            name = "roll_table",
            description = "Draw one entry of a random table: weather or rumour.",
            effects = "read",
            parameters = {
                type = "object",
                required = { "table" },
                properties = { table = { type = "string" } },
                additionalProperties = false,
            },
            run = function(args)
                local entries = tables[args.table]
                if not entries then
                    return nil, "there is no such table; there are: " .. names()
                end
                return entries[math.random(#entries)]
            end,
        },
    },
}
