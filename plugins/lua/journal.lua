-- Logs questions, calls and answers with numbers that continue after a reload, and adds a note to an answer that ended early.

local function write(ctx, what, text)
    ctx.state.lines = (ctx.state.lines or 0) + 1
    ctx.log(("%d %s: %s"):format(ctx.state.lines, what, text))
end

return {
    name = "journal",
    api = 1,
    version = "1.0",
    hooks = {
        on_question = function(question, ctx)
            write(ctx, "question", question)
        end,
        after_call = function(call, reply, ctx)
            write(ctx, "call", call.name .. (reply.ok and "" or " failed: " .. reply.error.message))
        end,
        on_answer = function(answer, ctx)
            write(ctx, "answer", answer.text)
            if answer.reason ~= "complete" then
                return "(journal: this run ended early: " .. answer.reason .. ")"
            end
        end,
    },
}
