import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { createKey, rotateKey } from "@/lib/tenancy/api-keys";
import { exportDevice, listDeviceAddresses, readAddress } from "@/lib/visits/devices";
import { newId } from "@/lib/contract/ids";
import { countFurther, countReports, exportReports, listReports } from "@/lib/visits/reports";
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
import { memberContext, operatorContext } from "@/test/workspaces";
import { createPermissionFixture, type PermittedVerbs, refusal } from "@/test/permissions/fixture";
import { BUILDERS, EVERYONE, MANAGERS } from "@/test/roles";

const { db } = await createTestDatabase();
const operator = operatorContext(db);
const createSetup = () => createPermissionFixture(db);

const guest = (): { email: string; role: Role; canSeeAddresses: true } => ({
  email: `${newId("user")}@example.com`,
  role: "analyst",
  canSeeAddresses: true,
});

/** Every verb that can give access to addresses and places, and the roles that may use it if they may see them. */
const TO_ADDRESSES: PermittedVerbs = [
  ["createWebApp", BUILDERS, (context, fixture) => createWebApp(context, { ...fixture, name: "New" })],
  ["createKey", BUILDERS, (context, fixture) => createKey(context, { ...fixture, name: "new" })],
  ["rotateKey", BUILDERS, rotateKey],
  ["exportDevice", MANAGERS, exportDevice],
  ["addMember who sees them", MANAGERS, (context, fixture) => addMember(context, { ...fixture, ...guest() })],
  ["inviteMember who sees them", MANAGERS, (context, fixture) => inviteMember(context, { ...fixture, ...guest() })],
  [
    "renewInvitation of one who sees them",
    MANAGERS,
    async (context, fixture) => {
      const { invitationId } = await inviteMember(operator, { ...fixture, ...guest() });
      return renewInvitation(context, { ...fixture, invitationId });
    },
  ],
  [
    "setMemberRole of somebody else",
    MANAGERS,
    (context, fixture) => setMemberRole(context, { ...fixture, ...guest(), userId: fixture.memberId }),
  ],
  [
    "setMemberRole of oneself",
    MANAGERS,
    (context, fixture) => {
      const { actor } = context;
      const userId = actor.kind === "user" ? actor.userId : "";
      return setMemberRole(context, { ...fixture, userId, role: "analyst", canSeeAddresses: true });
    },
  ],
  ["readAddress", EVERYONE, (context, fixture) => readAddress(context, { ...fixture, address: "203.0.113.7" })],
  ["listDeviceAddresses", EVERYONE, listDeviceAddresses],
  ...(["address", "country", "asn"] as const).flatMap((filter): PermittedVerbs => {
    const range = {
      from: new Date(0),
      to: new Date(),
      [filter]: { address: "203.0.113.7", country: "NL", asn: 1 }[filter],
    };
    return [
      [`listReports by ${filter}`, EVERYONE, (context, fixture) => listReports(context, { ...range, ...fixture })],
      [
        `countReports by ${filter}`,
        EVERYONE,
        (context, fixture) => countReports(context, { ...range, ...fixture, starts: [range.from] }),
      ],
      [
        `countFurther by ${filter}`,
        EVERYONE,
        (context, fixture) => countFurther(context, { ...range, ...fixture, total: 1 }),
      ],
      [
        `exportReports by ${filter}`,
        EVERYONE,
        (context, fixture) => exportReports(context, { ...range, ...fixture, format: "csv" }),
      ],
    ];
  }),
];

test.each(TO_ADDRESSES)(
  "%s can give access to addresses, so only people who may see them may do it",
  async (_name, allowed, verb) => {
    // Use a new workspace after an allowed call; a refused one changes nothing.
    let fixture = await createSetup();
    for (const role of ROLES) {
      for (const canSeeAddresses of [false, true]) {
        const context = await memberContext(db, fixture.workspaceId, role);
        const { userId } = context.actor;
        await setMemberRole(operator, { ...fixture, userId, role, canSeeAddresses });
        const code = await refusal(verb(context, fixture));
        const isAllowed = canSeeAddresses && allowed.includes(role);
        expect([role, canSeeAddresses, code]).toEqual([role, canSeeAddresses, isAllowed ? undefined : "forbidden"]);
        if (isAllowed) fixture = await createSetup();
      }
    }
  },
);

test("a person who may not see addresses cannot grant that permission, or take it from others", async () => {
  const fixture = await createSetup();
  const admin = await memberContext(db, fixture.workspaceId, "admin");
  const other = await memberContext(db, fixture.workspaceId, "admin");
  await setMemberRole(operator, { ...fixture, userId: admin.actor.userId, role: "admin", canSeeAddresses: false });
  expect(await addMember(admin, { ...fixture, email: `${newId("user")}@example.com`, role: "admin" })).toMatchObject({
    canSeeAddresses: false,
  });
  const change = { ...fixture, userId: other.actor.userId, role: "developer", canSeeAddresses: true } as const;
  expect(await setMemberRole(admin, change)).toMatchObject({ canSeeAddresses: true });
});

test("an invitation with permission to see addresses ends when the inviter loses it", async () => {
  const fixture = await createSetup();
  const admin = await memberContext(db, fixture.workspaceId, "admin");
  const { url } = await inviteMember(admin, { ...fixture, ...guest() });
  await setMemberRole(operator, { ...fixture, userId: admin.actor.userId, role: "admin", canSeeAddresses: false });
  const token = new URL(url).searchParams.get("token") ?? "";
  const nobody = { db, now: new Date(), actor: undefined };
  await expect(acceptInvitation(nobody, { token })).rejects.toMatchObject({ code: "auth_failed" });
});
