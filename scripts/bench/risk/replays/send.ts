import http from "node:http";

/**
 * One POST whose headers arrive in the order given, straight to the service, as if a trusted proxy had met `address`.
 *
 * @param {{ port: number, path: string, headers: Record<string, string>, address: string, body: object }} request
 */
function post({ port, path, headers, address, body }) {
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body);
    const all = { ...headers, "x-forwarded-for": address, "content-length": String(Buffer.byteLength(text)) };
    const request = http.request({ host: "localhost", port, path, method: "POST", headers: all, agent: false });
    request.once("error", reject);
    request.once("response", async (response) => {
      const chunks = [];
      for await (const chunk of response) chunks.push(chunk);
      const answer = Buffer.concat(chunks).toString();
      if ((response.statusCode ?? 500) >= 300) reject(new Error(`${path} answered ${response.statusCode}: ${answer}`));
      else resolve(JSON.parse(answer));
    });
    request.end(text);
  });
}

/**
 * Sends captured answers again with a challenge of their own; the imprint.
 *
 * @param {object} target
 * @param {number} target.servicePort
 * @param {string} target.environmentId
 * @param {object} attempt
 * @param {object} attempt.submission the captured body
 * @param {Record<string, string>} attempt.headers
 * @param {string} attempt.address
 * @param {string} [attempt.token] of a device that somebody else has
 */
export async function replay({ servicePort, environmentId }, { submission, headers, address, token }) {
  const to = { port: servicePort, headers, address };
  const asked = { environment_id: environmentId, ...(token === undefined ? {} : { token }) };
  const issued = await post({ ...to, path: "/api/v1/imprints/challenge", body: asked });
  const own = token ?? issued.token;
  const { token: _captured, ...answers } = submission;
  const body = { ...answers, challenge: issued.challenge, ...(own === undefined ? {} : { token: own }) };
  const { imprint } = await post({ ...to, path: "/api/v1/imprints", body });
  return imprint;
}
