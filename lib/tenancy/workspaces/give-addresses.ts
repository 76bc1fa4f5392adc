import { AppError } from "@/lib/contract/errors";
import { addressesGiven, type Held, type Role } from "./domain/permissions";

/**
 * Whether a new or changed member sees addresses and places.
 *
 * @param asked undefined for the role's default
 * @throws AppError `forbidden` if the giver may not see them
 */
export function requireGivable(giver: Held, role: Role, asked: boolean | undefined): boolean {
  const given = addressesGiven(giver, role, asked);
  if (given === "refused")
    throw new AppError("forbidden", { message: "Only members who see addresses can let others see them" });
  return given;
}
