/** Rules of this repository that oxlint does not have, as a plugin of it. */

/** @typedef {{ callee: { name?: string }, arguments: unknown[] }} Call the part of a syntax node that is read */

/** A folder `domain/` reads no clock: `new Date()` and `Date()` take the time from the machine, `new Date(at)` does not. */
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
