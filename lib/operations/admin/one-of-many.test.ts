import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { createKey, requireKey } from "@/lib/tenancy/api-keys";
import { findView, saveView } from "@/lib/tenancy/views";
import { createWebApp, readWebApp } from "@/lib/tenancy/web-apps";
import { createEndpoint, readEndpoint } from "@/lib/tenancy/webhooks";
import { addMember, findMemberId } from "@/lib/tenancy/workspaces";
import type { Context } from "@/lib/platform/context";
import { newId } from "@/lib/contract/ids";
import { countReads } from "@/test/count-reads";
import { createTestDatabase } from "@/test/database";
import { createTestWorkspace, operatorContext } from "@/test/workspaces";

const { db } = await createTestDatabase();
const operator = operatorContext(db);
const MANY = 15;

type Case = {
  tables: string;
  /** Adds one to a workspace; returns its id. */
  add: (workspaceId: string, number: number) => Promise<string>;
  read: (context: Context, workspaceId: string, id: string) => Promise<unknown>;
  other: string;
};

const cases: Record<string, Case> = {
  "An API key": {
    tables: "^api_keys$",
    add: async (workspaceId, number) => (await createKey(operator, { workspaceId, name: `Key ${number}` })).keyId,
    read: (context, workspaceId, keyId) => requireKey(context, { workspaceId, keyId }),
    other: newId("apiKey"),
  },
  "A webhook": {
    tables: "^webhook_endpoints$",
    add: async (workspaceId, number) =>
      (
        await createEndpoint(operator, {
          ...{ workspaceId, name: `Hook ${number}`, url: "https://shop.example/events" },
          eventTypes: ["visit.recorded"],
        })
      ).endpointId,
    read: (context, workspaceId, endpointId) => readEndpoint(context, { workspaceId, endpointId }),
    other: newId("webhook"),
  },
  "A saved view": {
    tables: "^report_views$",
    add: async (workspaceId, number) =>
      (await saveView(operator, { workspaceId, name: `View ${number}`, query: "risk=DECEPTIVE" })).viewId,
    read: (context, workspaceId, viewId) => findView(context, { workspaceId, viewId }),
    other: newId("view"),
  },
  "A Web App": {
    tables: "^web_apps$",
    add: async (workspaceId, number) =>
      (await createWebApp(operator, { workspaceId, name: `App ${number}`, origins: [] })).webAppId,
    read: (context, workspaceId, webAppId) => readWebApp(context, { workspaceId, webAppId }),
    other: newId("webApp"),
  },
  "A member": {
    tables: "^members$",
    async add(workspaceId, number) {
      const email = `person-${number}-${newId("user")}@example.com`;
      await addMember(operator, { workspaceId, email, role: "analyst" });
      return email;
    },
    read: (context, workspaceId, email) => findMemberId(context, { workspaceId, email }),
    other: "nobody@example.com",
  },
};

test.each(Object.entries(cases))(
  "%s is read by id, however many the workspace has, and an unknown or malformed id finds none",
  async (_name, { tables, add, read, other }) => {
    const workspaceId = await createTestWorkspace(db);
    const ids: string[] = [];
    for (let number = 0; number < MANY; number += 1) ids.push(await add(workspaceId, number));
    const { result, reads } = await db.transaction(async (tx) => {
      // Reading the single page of a small table is as fast as its index.
      await tx.execute(sql`set local enable_seqscan = off`);
      return await countReads(tx, tables, () => read({ ...operator, db: tx }, workspaceId, ids[3] ?? ""));
    });
    expect(result).toBeTruthy();
    expect(reads).toBe(1);
    const elsewhere = await createTestWorkspace(db);
    for (const [place, id] of [
      [workspaceId, other],
      [elsewhere, ids[3] ?? ""],
    ] as const)
      expect(await read(operator, place, id).catch((error: unknown) => (error as { code: string }).code)).toBeOneOf([
        "not_found",
        undefined,
      ]);
  },
);
