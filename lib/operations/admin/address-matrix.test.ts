import { expect, test } from "vitest";

import { createTestDatabase } from "@/db/testing";
import { createKey, rotateKey } from "@/lib/tenancy/api-keys";
import type { Context } from "@/lib/platform/context";
import { exportDevice, listDeviceAddresses, readAddress } from "@/lib/visits/devices";
import { newId } from "@/lib/contract/ids";
import { countReports, exportReports, listReports } from "@/lib/visits/reports";
import { createWebApp } from "@/lib/tenancy/web-apps";
import {
  acceptInvitation,
  addMember,
  inviteMember,
  renewInvitation,
  type Role,
  ROLES,
  setMemberRole,
} from "@/lib/tenancy/workspaces";
import { memberContext, operatorContext } from "@/lib/tenancy/workspaces/testing";
import { createPermissionScene, type PermissionScene as Scene, refusal } from "./testing";

const { db } = await createTestDatabase();
const operator = operatorContext(db);
const createScene = () => createPermissionScene(db);
type Verb = (context: Context, scene: Scene) => Promise<unknown>;

const EVERYONE: readonly Role[] = ROLES;
const BUILDERS: readonly Role[] = ["owner", "admin", "developer"];
const MANAGERS: readonly Role[] = ["owner", "admin"];

const guest = (): { email: string; role: Role; canSeeAddresses: true } => ({
  email: `${newId("user")}@example.com`,
  role: "analyst",
  canSeeAddresses: true,
});

/** Every verb that leads to addresses and places, and the roles that may use it once they may see them. */
const TO_ADDRESSES: readonly [string, readonly Role[], Verb][] = [
  ["createWebApp", BUILDERS, (context, scene) => createWebApp(context, { ...scene, name: "New" })],
  ["createKey", BUILDERS, (context, scene) => createKey(context, { ...scene, name: "new" })],
  ["rotateKey", BUILDERS, rotateKey],
  ["exportDevice", MANAGERS, exportDevice],
  ["addMember who sees them", MANAGERS, (context, scene) => addMember(context, { ...scene, ...guest() })],
  ["inviteMember who sees them", MANAGERS, (context, scene) => inviteMember(context, { ...scene, ...guest() })],
  [
    "renewInvitation of one who sees them",
    MANAGERS,
    async (context, scene) => {
      const { invitationId } = await inviteMember(operator, { ...scene, ...guest() });
      return renewInvitation(context, { ...scene, invitationId });
    },
  ],
  [
    "setMemberRole of somebody else",
    MANAGERS,
    (context, scene) => setMemberRole(context, { ...scene, ...guest(), userId: scene.memberId }),
  ],
  [
    "setMemberRole of oneself",
    MANAGERS,
    (context, scene) => {
      const { actor } = context;
      const userId = actor.kind === "user" ? actor.userId : "";
      return setMemberRole(context, { ...scene, userId, role: "analyst", canSeeAddresses: true });
    },
  ],
  ["readAddress", EVERYONE, (context, scene) => readAddress(context, { ...scene, address: "203.0.113.7" })],
  ["listDeviceAddresses", EVERYONE, listDeviceAddresses],
  ...(["address", "country", "asn"] as const).flatMap((filter): [string, readonly Role[], Verb][] => {
    const range = {
      from: new Date(0),
      to: new Date(),
      [filter]: { address: "203.0.113.7", country: "NL", asn: 1 }[filter],
    };
    return [
      [`listReports by ${filter}`, EVERYONE, (context, scene) => listReports(context, { ...range, ...scene })],
      [
        `countReports by ${filter}`,
        EVERYONE,
        (context, scene) => countReports(context, { ...range, ...scene, starts: [range.from] }),
      ],
      [
        `exportReports by ${filter}`,
        EVERYONE,
        (context, scene) => exportReports(context, { ...range, ...scene, format: "csv" }),
      ],
    ];
  }),
];

test.each(TO_ADDRESSES)(
  "%s leads to addresses: nobody who may not see them may do that",
  async (_name, allowed, verb) => {
    for (const role of ROLES) {
      for (const canSeeAddresses of [false, true]) {
        const scene = await createScene();
        const context = await memberContext(db, scene.workspaceId, role);
        const { userId } = context.actor;
        await setMemberRole(operator, { ...scene, userId, role, canSeeAddresses });
        const code = await refusal(verb(context, scene));
        const isAllowed = canSeeAddresses && allowed.includes(role);
        expect([role, canSeeAddresses, code]).toEqual([role, canSeeAddresses, isAllowed ? undefined : "forbidden"]);
      }
    }
  },
);

test("who may not see addresses passes on a role without its sight of them, and leaves others theirs", async () => {
  const scene = await createScene();
  const admin = await memberContext(db, scene.workspaceId, "admin");
  const other = await memberContext(db, scene.workspaceId, "admin");
  await setMemberRole(operator, { ...scene, userId: admin.actor.userId, role: "admin", canSeeAddresses: false });
  expect(await addMember(admin, { ...scene, email: `${newId("user")}@example.com`, role: "admin" })).toMatchObject({
    canSeeAddresses: false,
  });
  const change = { ...scene, userId: other.actor.userId, role: "developer", canSeeAddresses: true } as const;
  expect(await setMemberRole(admin, change)).toMatchObject({ canSeeAddresses: true });
});

test("an invitation to see addresses ends with the inviter's own sight of them", async () => {
  const scene = await createScene();
  const admin = await memberContext(db, scene.workspaceId, "admin");
  const { url } = await inviteMember(admin, { ...scene, ...guest() });
  await setMemberRole(operator, { ...scene, userId: admin.actor.userId, role: "admin", canSeeAddresses: false });
  const token = new URL(url).searchParams.get("token") ?? "";
  const nobody = { db, now: new Date(), actor: undefined };
  await expect(acceptInvitation(nobody, { token })).rejects.toMatchObject({ code: "auth_failed" });
});
