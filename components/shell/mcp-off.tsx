/** Notice that the MCP server is off. */
export function McpOff() {
  return (
    <p role="status" className="mb-4 rounded-md border border-border-strong px-3.5 py-2.5">
      <span className="font-semibold">The MCP server is off.</span>{" "}
      <span className="text-fg-muted">
        The operator of this instance has switched it off: every client is refused, and none can be connected.
      </span>
    </p>
  );
}
