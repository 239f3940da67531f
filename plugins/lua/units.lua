-- Units of length, mass and temperature.

-- Conversion to the base unit of the kind: value * factor + offset.
local units = {
    m = { kind = "length", factor = 1 },
    km = { kind = "length", factor = 1000 },
    ft = { kind = "length", factor = 0.3048 },
    mi = { kind = "length", factor = 1609.344 },
    kg = { kind = "mass", factor = 1 },
    g = { kind = "mass", factor = 0.001 },
    lb = { kind = "mass", factor = 0.45359237 },
    K = { kind = "temperature", factor = 1 },
    C = { kind = "temperature", factor = 1, offset = 273.15 },
    F = { kind = "temperature", factor = 5 / 9, offset = 459.67 * 5 / 9 },
}

local unit = { type = "string", enum = { "m", "km", "ft", "mi", "kg", "g", "lb", "K", "C", "F" } }

return {
    name = "units",
    api = 1,
    version = "1.0",
    capabilities = {
        {
            name = "convert_units",
            description = "Convert a value between units of length (m km ft mi), mass (kg g lb) or temperature (K C F).",
            effects = "read",
            headline = "text",
            parameters = {
                type = "object",
                required = { "value", "from", "to" },
                properties = { value = { type = "number" }, from = unit, to = unit },
                additionalProperties = false,
            },
            run = function(args)
                local from, to = units[args.from], units[args.to]
                if from.kind ~= to.kind then
                    return nil, args.from .. " is a unit of " .. from.kind .. " and " .. args.to .. " one of " .. to.kind
                end
                local base = args.value * from.factor + (from.offset or 0)
                local value = (base - (to.offset or 0)) / to.factor
                return { value = value, text = ("%g %s = %.6g %s"):format(args.value, args.from, value, args.to) }
            end,
        },
    },
}
