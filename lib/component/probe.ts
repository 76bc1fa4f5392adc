/** A connection that hears nothing ends after this: its absence is no finding. */
const TIMEOUT_MS = 1000;

/**
 * Sends a datagram with the credentials of the challenge to the service's probe. It refuses the allocation, and with
 * that has seen where the datagram comes from. Never rejects. Every released component loads this file: `send` stays.
 */
export const send = (server: RTCIceServer): Promise<void> =>
  new Promise((resolve) => {
    try {
      const connection = new RTCPeerConnection({ iceServers: [server] });
      const end = () => {
        connection.close();
        resolve();
      };
      setTimeout(end, TIMEOUT_MS);
      connection.onicegatheringstatechange = () => {
        if (connection.iceGatheringState === "complete") end();
      };
      // Without a channel there is nothing to gather for.
      connection.createDataChannel("");
      connection
        .createOffer()
        .then((offer) => connection.setLocalDescription(offer))
        .catch(end);
    } catch {
      resolve(); // No WebRTC, or turned off.
    }
  });
