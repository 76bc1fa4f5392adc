import http from "node:http";
import { text } from "node:stream/consumers";

import { composeExactly } from "@/lib/contract/challenge-proof";
import { textsOf } from "../../../common/processes";
import type { VisitedService } from "../service";
import type { Attempt } from "./attacks";

type Target = Pick<VisitedService, "servicePort" | "environmentId">;

/**
 * Sends one POST with headers in the given order, directly to the service, as a trusted proxy would for client
 * `address`.
 */
async function post({ servicePort }: Target, { headers, address }: Attempt, path: string, sent: string) {
  const all = { ...headers, "x-forwarded-for": address, "content-length": String(Buffer.byteLength(sent)) };
  const options = { host: "localhost", port: servicePort, path, method: "POST", headers: all, agent: false };
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    http.request(options, resolve).once("error", reject).end(sent);
  });
  const answer = await text(response);
  const status = response.statusCode ?? 500;
  if (status >= 300) throw new Error(`${path} answered ${status}: ${answer}`);
  return JSON.parse(answer) as unknown;
}

/** Replays a captured submission with a fresh challenge; returns the imprint. */
export async function replay(target: Target, attempt: Attempt): Promise<string> {
  const { token } = attempt;
  const asked = { environment_id: target.environmentId, ...(token !== undefined && { token }) };
  const issued = await post(target, attempt, "/api/v1/imprints/challenge", JSON.stringify(asked));
  const { challenge } = textsOf(issued, "challenge");
  const { token: _captured, proof, ...answers } = attempt.submission;
  const body = { ...answers, challenge, token: token ?? textsOf(issued, "token").token };
  const sent = attempt.isAnswered === true ? composeExactly(body) : JSON.stringify({ ...body, proof });
  return textsOf(await post(target, attempt, "/api/v1/imprints", sent), "imprint").imprint;
}
