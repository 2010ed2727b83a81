import * as z from 'zod';
import { parseJson } from '#app/platform/json.ts';
import type { App } from '#app/app.ts';
import { appearanceKeys, type Appearance } from '#app/settings/appearance/appearance.ts';
import { definitionOf } from '#app/settings/catalogue.ts';
import { readSettingTexts } from '#app/settings/queries.server.ts';

export type AppearanceTexts = Record<keyof Appearance, string>;

/** The texts of the published appearance and of the draft; null without a draft. */
export async function readAppearanceTexts(
  app: Pick<App, 'db'>,
): Promise<{ published: AppearanceTexts; draft: AppearanceTexts | null }> {
  const { texts } = await readSettingTexts(app);
  const published = Object.fromEntries(appearanceKeys.map((key) => [key, texts[key]])) as AppearanceTexts;
  return { published, draft: readDraft(texts.appearance_draft ?? '', published) };
}

/** The appearance of the draft. Choices that the draft lacks are those of the published appearance. */
export async function readShownAppearance(app: Pick<App, 'db'>): Promise<Appearance> {
  const { published, draft } = await readAppearanceTexts(app);
  const texts = draft ?? published;
  const entries = appearanceKeys.map((key) => [key, definitionOf(key).schema.parse(texts[key])]);
  return Object.fromEntries(entries) as Appearance;
}

/** The value of the setting `appearance_draft`. */
export function serializeDraft(texts: AppearanceTexts): string {
  return JSON.stringify(texts);
}

/** Replaces missing and invalid values of a stored draft by the published ones. */
function readDraft(stored: string, published: AppearanceTexts): AppearanceTexts | null {
  if (stored === '') return null;
  const parsed = z.record(z.string(), z.string()).safeParse(parseJson(stored));
  if (!parsed.success) return null;
  const usable = appearanceKeys.map((key) => {
    const text = parsed.data[key];
    const isValid = text !== undefined && definitionOf(key).schema.safeParse(text).success;
    return [key, isValid ? text : published[key]];
  });
  return Object.fromEntries(usable) as AppearanceTexts;
}
