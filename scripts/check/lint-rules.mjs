/** An oxlint plugin with rules of this repository. */

/** @typedef {{ callee: { name?: string }, arguments: unknown[] }} Call the fields of a syntax node that are used */

/** Code in a `domain/` folder reads no clock: `new Date()` and `Date()` read the machine's, `new Date(at)` does not. */
const noCurrentTime = {
  /** @param {{ report: (fault: { node: Call, message: string }) => void }} context */
  create: (context) => ({
    /** @param {Call} node */
    NewExpression(node) {
      if (node.callee.name === "Date" && node.arguments.length === 0)
        context.report({ node, message: "Take `now` as a parameter." });
    },
  }),
};

export default { meta: { name: "imprint" }, rules: { "no-current-time": noCurrentTime } };
