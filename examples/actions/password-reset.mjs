/**
 * Call it when the emailed link is valid and the new password is submitted. `knownDevices` are the account's.
 *
 * @param {import("imprint-server").ImprintServer} imprint
 * @param {{ field: unknown, linkId: string, knownDevices: ReadonlySet<string> }} reset
 * @returns {Promise<{ step: "set" | "set and hold", because: string }>}
 */
export async function checkPasswordReset(imprint, { field, linkId, knownDevices }) {
  const visit = await imprint.acceptImprint(field, {
    surface: "password-reset",
    origin: "https://shop.example",
    acceptance: linkId,
  });
  if (!visit.accepted) {
    console.warn("password reset without evidence:", visit.message);
    return { step: "set and hold", because: visit.reason };
  }
  const { device, risk } = visit.report;
  if (risk.status === "PASS" && knownDevices.has(device.id)) return { step: "set", because: "known device" };
  return { step: "set and hold", because: risk.reasons.join(" ") || "new device" };
}
