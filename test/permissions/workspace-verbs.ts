import { newId } from "@/lib/contract/ids";
import { listClients, listToolCalls, revokeAllClients, revokeClient } from "@/lib/interfaces/oauth";
import { deleteView, findView, listViews, renameView, saveView } from "@/lib/tenancy/views";
import {
  addOrigins,
  archiveWebApp,
  countRefusedOrigins,
  createWebApp,
  createWebAppWithoutKey,
  listRefusedOrigins,
  listWebApps,
  nameWebApps,
  pauseWebApp,
  readWebApp,
  removeOrigin,
  renameWebApp,
  resumeWebApp,
} from "@/lib/tenancy/web-apps";
import {
  addMember,
  exportAudit,
  findMemberId,
  inviteMember,
  listAudit,
  listInvitations,
  listMembers,
  removeMember,
  renameWorkspace,
  renewInvitation,
  revokeInvitation,
  setMemberRole,
  setPlan,
  setRetention,
  setViewLog,
} from "@/lib/tenancy/workspaces";
import { BUILDERS, EVERYONE, ISSUERS, MANAGERS, NOBODY, OWNERS } from "@/test/roles";
import type { PermittedVerbs } from "./fixture";

/** Verbs on a workspace, its members, Web Apps, views and connected clients, and the roles that may use it. */
export const WORKSPACE_VERBS: PermittedVerbs = [
  ["renameWorkspace", MANAGERS, (context, fixture) => renameWorkspace(context, { ...fixture, name: "New" })],
  ["setPlan", NOBODY, (context, fixture) => setPlan(context, { ...fixture, plan: "enterprise" })],
  ["setRetention", OWNERS, (context, fixture) => setRetention(context, { ...fixture, days: 30 })],
  ["setViewLog", OWNERS, (context, fixture) => setViewLog(context, { ...fixture, isOn: true })],
  ["listMembers", EVERYONE, listMembers],
  [
    "findMemberId",
    EVERYONE,
    (context, { workspaceId }) => findMemberId(context, { workspaceId, email: "new@example.com" }),
  ],
  [
    "addMember",
    MANAGERS,
    (context, fixture) => addMember(context, { ...fixture, email: `${newId("user")}@example.com`, role: "developer" }),
  ],
  [
    "addMember as owner",
    OWNERS,
    (context, fixture) => addMember(context, { ...fixture, email: `${newId("user")}@example.com`, role: "owner" }),
  ],
  [
    "setMemberRole",
    MANAGERS,
    (context, fixture) => setMemberRole(context, { ...fixture, userId: fixture.memberId, role: "developer" }),
  ],
  [
    "setMemberRole to owner",
    OWNERS,
    (context, fixture) => setMemberRole(context, { ...fixture, userId: fixture.memberId, role: "owner" }),
  ],
  [
    "setMemberRole of an owner",
    OWNERS,
    (context, fixture) => setMemberRole(context, { ...fixture, userId: fixture.ownerId, role: "admin" }),
  ],
  ["listInvitations", MANAGERS, listInvitations],
  [
    "inviteMember",
    MANAGERS,
    (context, fixture) =>
      inviteMember(context, { ...fixture, email: `${newId("user")}@example.com`, role: "developer" }),
  ],
  [
    "inviteMember as owner",
    OWNERS,
    (context, fixture) => inviteMember(context, { ...fixture, email: `${newId("user")}@example.com`, role: "owner" }),
  ],
  ["renewInvitation", MANAGERS, renewInvitation],
  [
    "renewInvitation of an owner",
    OWNERS,
    (context, fixture) => renewInvitation(context, { ...fixture, invitationId: fixture.ownerInvitationId }),
  ],
  ["revokeInvitation", MANAGERS, revokeInvitation],
  [
    "revokeInvitation of an owner",
    OWNERS,
    (context, fixture) => revokeInvitation(context, { ...fixture, invitationId: fixture.ownerInvitationId }),
  ],
  ["removeMember", MANAGERS, (context, fixture) => removeMember(context, { ...fixture, userId: fixture.memberId })],
  [
    "removeMember, an owner",
    OWNERS,
    (context, fixture) => removeMember(context, { ...fixture, userId: fixture.ownerId }),
  ],
  ["listAudit", MANAGERS, listAudit],
  ["exportAudit", MANAGERS, exportAudit],
  ["listViews", EVERYONE, listViews],
  ["findView", EVERYONE, findView],
  ["saveView", EVERYONE, (context, fixture) => saveView(context, { ...fixture, name: "New", query: "risk=PASS" })],
  ["renameView of another person", MANAGERS, (context, fixture) => renameView(context, { ...fixture, name: "New" })],
  ["deleteView of another person", MANAGERS, deleteView],
  ["listWebApps", EVERYONE, listWebApps],
  ["readWebApp", EVERYONE, readWebApp],
  [
    "nameWebApps",
    EVERYONE,
    (context, { workspaceId, webAppId }) => nameWebApps(context, { workspaceId, webAppIds: [webAppId] }),
  ],
  ["listRefusedOrigins", EVERYONE, listRefusedOrigins],
  ["countRefusedOrigins", EVERYONE, countRefusedOrigins],
  ["createWebApp", ISSUERS, (context, fixture) => createWebApp(context, { ...fixture, name: "New" })],
  [
    "createWebAppWithoutKey",
    BUILDERS,
    (context, fixture) => createWebAppWithoutKey(context, { ...fixture, name: "New" }),
  ],
  ["renameWebApp", BUILDERS, (context, fixture) => renameWebApp(context, { ...fixture, name: "New" })],
  ["addOrigins", BUILDERS, (context, fixture) => addOrigins(context, { ...fixture, origins: ["https://b.example"] })],
  ["removeOrigin", BUILDERS, (context, fixture) => removeOrigin(context, { ...fixture, origin: "https://a.example" })],
  ["pauseWebApp", BUILDERS, pauseWebApp],
  ["resumeWebApp", BUILDERS, resumeWebApp],
  ["archiveWebApp", BUILDERS, archiveWebApp],
  ["listClients of everybody", MANAGERS, (context, fixture) => listClients(context, { ...fixture, isAll: true })],
  [
    "listToolCalls of everybody",
    MANAGERS,
    (context, { workspaceId }) => listToolCalls(context, { workspaceId, isAll: true }),
  ],
  ["revokeClient of another person", MANAGERS, revokeClient],
  [
    "revokeAllClients of everybody",
    MANAGERS,
    (context, fixture) => revokeAllClients(context, { ...fixture, isAll: true }),
  ],
];
