import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { createTestWorkspace, operatorContext } from "@/test/workspaces";
import { addMember } from "@/lib/tenancy/workspaces";
import { admitFromProvider } from "./index";

const { db } = await createTestDatabase();

test("a provider's verified address admits its own mailbox only, not one whose lower case looks the same", async () => {
  const workspaceId = await createTestWorkspace(db);
  await addMember(operatorContext(db), { workspaceId, email: "kay@example.com", role: "owner" });
  const admit = (email: string) =>
    admitFromProvider(db, { provider: "oidc", providerAccountId: email, claims: { email, email_verified: true } });
  expect(await admit("Kay@Example.com")).toBe("admitted");
  // The Kelvin sign, whose lower case is k.
  expect(await admit("\u212Aay@example.com")).toBe("unknown");
});
