import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

import { sql } from "drizzle-orm";
import { onTestFinished } from "vitest";
import { Webhook } from "standardwebhooks";

import type { Database } from "@/db/client";
import { createTestWorkspace, operatorContext } from "./workspaces";
import { announce } from "@/lib/tenancy/webhooks/announce";
import { listDeliveries } from "@/lib/tenancy/webhooks/list-deliveries";
import { readEndpoint } from "@/lib/tenancy/webhooks/list-endpoints";
import { createPostMessage } from "@/lib/tenancy/webhooks/post-message";
import { insertEndpoint } from "@/lib/tenancy/webhooks/queries";
import { newSigningSecret, sealSecret } from "@/lib/tenancy/webhooks/secret";
import { type SenderPorts, sendAllDue } from "@/lib/tenancy/webhooks/send-due";
import { idToUuid, newId } from "@/lib/contract/ids";
import type { WebhookEventType } from "@/lib/contract/webhooks";

/** A message as received by a target. */
export type Received = { path: string; body: string; headers: Record<string, string> };

type Answering = (response: ServerResponse, received: Received, request: IncomingMessage) => unknown;

/** A real HTTP server that records what it receives. Answers 204 by default. */
export async function startTarget(answer: Answering = (response) => response.writeHead(204).end()) {
  const received: Received[] = [];
  let answering = answer;
  const server: Server = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      const message = {
        path: request.url ?? "",
        body,
        headers: request.headers as Record<string, string>,
      };
      received.push(message);
      await answering(response, message, request);
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // safe: it listens on a port
  return {
    url: `http://127.0.0.1:${port}/events`,
    port,
    received,
    answerWith: (next: Answering) => {
      answering = next;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Verifies a message with the reference library, as a receiver does. @throws Error */
export const verified = (secret: string, { body, headers }: Received): unknown =>
  new Webhook(secret).verify(body, headers);

/** Inserts an endpoint directly, since the API refuses loopback URLs. */
export async function insertTestEndpoint(
  db: Database,
  workspaceId: string,
  url: string,
  types: readonly WebhookEventType[] = ["visit.recorded"],
) {
  const [endpointId, secret] = [newId("webhook"), newSigningSecret()];
  await insertEndpoint(db, {
    workspaceId,
    endpointId,
    name: "Test",
    url,
    sealedSecret: sealSecret(secret, endpointId),
    createdBy: "operator",
    subscription: { eventTypes: types, webAppIds: [], statuses: [] },
  });
  return { endpointId, secret };
}

/** A sender whose clock is advanced by `pass`, and that may reach this machine. */
export function testPorts() {
  let shiftSeconds = 0;
  const ports: SenderPorts = {
    post: createPostMessage({ mayBePrivate: true }),
    random: () => 0.5,
    shiftSeconds: () => shiftSeconds,
  };
  return {
    ports,
    pass: (seconds: number) => {
      shiftSeconds += seconds;
    },
  };
}

/** Marks a delivery as delivered. */
export const endTestDelivery = (db: Database, workspaceId: string, deliveryId: string) =>
  db.execute(sql`update webhook_deliveries set state = 'delivered' where workspace_id = ${idToUuid(workspaceId)}::uuid
    and delivery_id = ${idToUuid(deliveryId)}::uuid`);

/** A workspace with one endpoint at its own target, and a sender with its own clock. */
export const setupOf = (db: Database) => async (answer?: Answering) => {
  const target = await startTarget(answer);
  onTestFinished(target.close);
  const workspaceId = await createTestWorkspace(db);
  const { endpointId, secret } = await insertTestEndpoint(db, workspaceId, target.url, ["key.created", "key.revoked"]);
  const { ports, pass } = testPorts();
  const context = operatorContext(db);
  return {
    target,
    workspaceId,
    endpointId,
    secret,
    pass,
    send: () => sendAllDue(db, ports, new AbortController().signal),
    tell: (keyId = newId("apiKey"), name = "server") =>
      announce(
        db,
        {
          type: "key.created",
          streamId: keyId,
          data: { workspace_id: workspaceId, key_id: keyId, name, expires_at: null },
        },
        { workspaceId },
      ),
    endpoint: () => readEndpoint(context, { workspaceId, endpointId }),
    deliveries: async () => (await listDeliveries(context, { workspaceId, endpointId })).deliveries,
  };
};

type Named = { data: { name: string } };
/** The name in a message about a key. */
export const nameIn = ({ body }: { body: string }) => (JSON.parse(body) as Named).data.name; // a message of `tell`
