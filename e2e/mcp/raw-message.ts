/** Sends one message in the format of either protocol version, without a client library. */
export const sendMessage = (
  url: string,
  {
    token,
    headers = {},
    ...message
  }: { token: string; headers?: Record<string, string>; method: string; params?: object },
): Promise<Response> =>
  fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
  });
