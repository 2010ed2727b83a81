import type { Stored } from '#app/media/store/media-store.ts';
import type { Configured, Logged, Timed } from '#app/platform/services.ts';

/** The services that carry out effects. */
export type EffectApp = Timed & Configured & Logged & Stored;
