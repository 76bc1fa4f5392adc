/**
 * Call it when the password was correct. `knownDevices` are the ids that you stored after a successful second factor.
 *
 * @param {import("imprint-server").ImprintServer} imprint
 * @param {{ field: unknown, attemptId: string, knownDevices: ReadonlySet<string> }} attempt
 * @returns {Promise<{ step: "none" | "second factor", because: string, deviceId?: string }>}
 */
export async function checkSignIn(imprint, { field, attemptId, knownDevices }) {
  const visit = await imprint.acceptImprint(field, {
    surface: "sign-in",
    origin: "https://shop.example",
    acceptance: attemptId,
  });
  if (!visit.accepted) {
    console.warn("sign-in without evidence:", visit.message);
    return { step: "second factor", because: visit.reason };
  }
  const { device, risk } = visit.report;
  if (risk.status !== "PASS") return { step: "second factor", because: risk.reasons.join(" "), deviceId: device.id };
  if (!knownDevices.has(device.id)) return { step: "second factor", because: "new device", deviceId: device.id };
  return { step: "none", because: "known device", deviceId: device.id };
}
