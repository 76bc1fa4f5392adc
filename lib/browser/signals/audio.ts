const FRAMES = 5000;
const FIRST_SUMMED = 4500;

/**
 * Sum of rendered audio samples: a constant of the engine's audio code and the processor.
 * Known noise: Brave, Safari 17 and Firefox with resistance vary or fix it.
 */
export const readAudio = async () => {
  if (!("OfflineAudioContext" in self)) return undefined;
  const context = new OfflineAudioContext(1, FRAMES, 44100);
  const oscillator = context.createOscillator();
  oscillator.type = "triangle";
  oscillator.frequency.value = 10000;
  const compressor = context.createDynamicsCompressor();
  compressor.threshold.value = -50;
  compressor.knee.value = 40;
  compressor.ratio.value = 12;
  compressor.attack.value = 0;
  compressor.release.value = 0.25;
  oscillator.connect(compressor).connect(context.destination);
  oscillator.start(0);
  const buffer = await context.startRendering();
  return buffer
    .getChannelData(0)
    .slice(FIRST_SUMMED)
    .reduce((sum, sample) => sum + Math.abs(sample), 0);
};
