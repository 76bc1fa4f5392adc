import { readHistoryOperation } from "@/lib/contract/history";
import { setLabelOperation } from "@/lib/contract/labels";
import {
  addManagedOriginOperation,
  createManagedKeyOperation,
  createManagedWebAppOperation,
  listManagedKeysOperation,
  listManagedWebAppsOperation,
  removeManagedOriginOperation,
  revokeManagedKeyOperation,
  rotateManagedKeyOperation,
  updateManagedWebAppOperation,
} from "@/lib/contract/manage";
import { API_CATALOG_LINK, listProductsOperation } from "@/lib/contract/product";
import { readReportOperation } from "@/lib/contract/report";
import { issueChallengeOperation, submitImprintOperation } from "@/lib/contract/submission";
import {
  activateIntentOperation,
  createIntentOperation,
  readIntentOperation,
  readTrialGrantOperation,
} from "@/lib/contract/trial";
import { buyTrialOperation } from "@/lib/contract/trial-purchase";
import { readProxyKeyOperation } from "@/lib/contract/visitor";
import { createApiTable } from "@/lib/interfaces/http/api-table";
import { defineRoute, reply, replyStored } from "@/lib/interfaces/http/define-route";
import {
  addManagedOrigin,
  createManagedKey,
  createManagedWebApp,
  listManagedKeys,
  listManagedWebApps,
  removeManagedOrigin,
  revokeManagedKey,
  rotateManagedKey,
  updateManagedWebApp,
} from "@/lib/tenancy/management";
import { activateIntent, buyTrial, createIntent, listProducts, readGrant, readIntent } from "@/lib/trials";
import { readHistory } from "@/lib/visits/history";
import { setManagedLabel } from "@/lib/visits/labels";
import { deliverReport, hashAcceptance } from "@/lib/visits/reports";
import { issueChallenge, prefetchSubmission, readProxyKey, submitImprint } from "@/lib/visits/submissions";
import { findKeyWithReport } from "@/lib/visits/visit-store";

const acceptanceHashOf = ({ "imprint-acceptance": acceptance }: { "imprint-acceptance"?: string | undefined }) =>
  acceptance === undefined ? undefined : hashAcceptance(acceptance);

/** Every operation of the public API and the verb that answers it, in the order of the contract. */
export const API_TABLE = createApiTable([
  defineRoute(issueChallengeOperation, (ctx) => Promise.resolve(reply(200, issueChallenge(ctx, ctx.caller, ctx.body)))),
  defineRoute(submitImprintOperation, async (ctx) => reply(201, await submitImprint(ctx, ctx.caller, ctx)), {
    prefetch: prefetchSubmission,
  }),
  defineRoute(readProxyKeyOperation, (ctx) => Promise.resolve(reply(200, readProxyKey(ctx, ctx.caller)))),

  defineRoute(
    readReportOperation,
    async ({ db, caller, params: { imprint }, headers: sent }) => {
      const asked = { imprint, accountRef: sent["x-account-ref"], acceptanceHash: acceptanceHashOf(sent) };
      const { report, headers } = await deliverReport({ db }, caller, asked);
      return replyStored(200, report, headers);
    },
    { findKey: ({ imprint }, sent) => findKeyWithReport(imprint, acceptanceHashOf(sent)) },
  ),

  defineRoute(listProductsOperation, async (ctx) => reply(200, await listProducts(ctx), { Link: API_CATALOG_LINK })),
  defineRoute(createIntentOperation, async (ctx) => reply(201, await createIntent(ctx, ctx.body))),
  defineRoute(activateIntentOperation, (ctx) =>
    activateIntent(ctx, ctx.caller, { signature: ctx.headers["payment-signature"] }),
  ),
  defineRoute(readIntentOperation, async (ctx) => reply(200, await readIntent(ctx, ctx.caller))),
  defineRoute(readTrialGrantOperation, async (ctx) => reply(200, await readGrant(ctx, ctx.caller))),
  defineRoute(buyTrialOperation, (ctx) =>
    buyTrial(ctx, ctx.caller, { body: ctx.body, signature: ctx.headers["payment-signature"] }),
  ),

  defineRoute(readHistoryOperation, async (ctx) =>
    reply(200, await readHistory(ctx, ctx.caller, { ...ctx.params, ...ctx.query })),
  ),

  defineRoute(listManagedWebAppsOperation, async (ctx) => reply(200, await listManagedWebApps(ctx, ctx.caller))),
  defineRoute(createManagedWebAppOperation, async (ctx) =>
    reply(201, await createManagedWebApp(ctx, ctx.caller, ctx.body)),
  ),
  defineRoute(updateManagedWebAppOperation, async (ctx) =>
    reply(200, await updateManagedWebApp(ctx, { ...ctx.caller, ...ctx.params }, ctx.body)),
  ),
  defineRoute(addManagedOriginOperation, async (ctx) =>
    reply(200, await addManagedOrigin(ctx, { ...ctx.caller, ...ctx.params }, ctx.body)),
  ),
  defineRoute(removeManagedOriginOperation, async (ctx) =>
    reply(200, await removeManagedOrigin(ctx, { ...ctx.caller, ...ctx.params }, ctx.query.origin)),
  ),
  defineRoute(listManagedKeysOperation, async (ctx) => reply(200, await listManagedKeys(ctx, ctx.caller))),
  defineRoute(createManagedKeyOperation, async (ctx) => reply(201, await createManagedKey(ctx, ctx.caller, ctx.body))),
  defineRoute(rotateManagedKeyOperation, async (ctx) =>
    reply(201, await rotateManagedKey(ctx, { ...ctx.caller, ...ctx.params }, ctx.body)),
  ),
  defineRoute(revokeManagedKeyOperation, async (ctx) =>
    reply(200, await revokeManagedKey(ctx, { ...ctx.caller, ...ctx.params })),
  ),

  defineRoute(setLabelOperation, async (ctx) => reply(200, await setManagedLabel(ctx, ctx.caller, ctx.body))),
]);
