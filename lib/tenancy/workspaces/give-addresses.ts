import { AppError } from "@/lib/contract/errors";
import { addressesGiven, type Held, type Role } from "./domain/permissions";

/**
 * Whether a new or changed member sees addresses and places.
 *
 * @param asked nothing for the role's default
 * @throws AppError `forbidden` when somebody who may not see them would give it
 */
export function requireGivable(giver: Held, role: Role, asked: boolean | undefined): boolean {
  const given = addressesGiven(giver, role, asked);
  if (given === "refused")
    throw new AppError("forbidden", { message: "Who may not see addresses may not let others see them either" });
  return given;
}
