import type { Db } from "@/db/client";
import { AppError } from "@/lib/contract/errors";
import { readSession } from "@/lib/tenancy/sign-in";
import { type Access, authorize, type Permission } from "@/lib/tenancy/workspaces";

const CHECK_EVERY_MS = 5_000;

type Given = { sessionToken: string | undefined; access: Access; permission: Permission };

/**
 * Checks that the session still exists and that its person still has the permission, and still sees addresses if the
 * person did before.
 *
 * @throws AppError `auth_failed`, `not_found`, `forbidden`
 */
export async function requireStill(db: Db, { sessionToken, access, permission }: Given): Promise<void> {
  const actor = await readSession(db, sessionToken);
  if (!actor) throw new AppError("auth_failed");
  const { canSeeAddresses } = await authorize({ db, actor }, access.workspaceId, permission);
  if (access.canSeeAddresses && !canSeeAddresses) throw new AppError("forbidden");
}

/**
 * The parts, until `check` throws. It runs before a part is passed on, at most once in five seconds.
 *
 * @param clockMs a clock that never goes back
 */
export async function* whilePermitted(
  parts: AsyncGenerator<string, void>,
  check: () => Promise<void>,
  clockMs: () => number = () => performance.now(),
): AsyncGenerator<string, void> {
  let checkedAt = clockMs();
  for await (const part of parts) {
    if (clockMs() - checkedAt >= CHECK_EVERY_MS) {
      await check();
      checkedAt = clockMs();
    }
    yield part;
  }
}
