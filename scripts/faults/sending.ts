/**
 * A process that sends webhooks through the service's own sender, to be killed on the way. The first argument contains
 * the database and the secrets.
 */
import { connect } from "@/db/client";
import { publishSecrets, type ServiceSecrets } from "@/lib/platform/secrets";
import { createPostMessage } from "@/lib/tenancy/webhooks/post-message";
import { startWebhookSender } from "@/lib/tenancy/webhooks/start-sender";

/** `speed`: how much faster than real time its clock runs. */
type Order = { databaseUrl: string; secrets: ServiceSecrets; shiftSeconds: number; speed: number };

const order = JSON.parse(process.argv[2] ?? "") as Order; // safe: written by webhooks.ts
publishSecrets(order.secrets);
const { db } = connect({ url: order.databaseUrl, poolSize: 4, prepare: true, applicationName: "sending" });
startWebhookSender(db, {
  post: createPostMessage({ mayBePrivate: true }),
  random: Math.random,
  shiftSeconds: () => order.shiftSeconds + (performance.now() / 1000) * order.speed,
});
// The sender's own timers do not keep the process alive.
setInterval(() => undefined, 60_000);
