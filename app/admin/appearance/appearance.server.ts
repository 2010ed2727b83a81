import * as z from 'zod';
import type { Db } from '#app/platform/services.ts';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import {
  unknownIntent,
  type ActionArguments,
  type ActionResult,
  type Done,
  type ScreenArguments,
} from '#app/admin/frame/screen.ts';
import { readFormReleases, saveToRelease } from '#app/admin/releases/saving.server.ts';
import { byUser } from '#app/people/audit/audit.server.ts';
import { AppError, type FieldErrors } from '#app/platform/errors.ts';
import { parseJson } from '#app/platform/json.ts';
import { messageOfIssue } from '#app/platform/message.ts';
import { wantedSettings } from '#app/publishing/releases/texts.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { appearanceKeys, type Appearance } from '#app/settings/appearance/appearance.ts';
import { DEFAULT_THEME, themes } from '#app/settings/appearance/themes.server.ts';
import { definitionOf } from '#app/settings/catalogue.ts';
import { readSettingTexts } from '#app/settings/queries.server.ts';
import { customCssProblem } from '#app/site/appearance/custom-css.ts';

export type AppearanceTexts = Record<keyof Appearance, string>;

/** The texts of the published appearance and of the draft; null without a draft. */
export async function readAppearanceTexts(
  app: Db,
): Promise<{ published: AppearanceTexts; draft: AppearanceTexts | null }> {
  const { texts } = await readSettingTexts(app);
  const published = Object.fromEntries(appearanceKeys.map((key) => [key, texts[key]])) as AppearanceTexts;
  return { published, draft: readDraft(texts.appearance_draft ?? '', published) };
}

/** The appearance of the draft. Choices that the draft lacks are those of the published appearance. */
export async function readShownAppearance(app: Db): Promise<Appearance> {
  const { published, draft } = await readAppearanceTexts(app);
  const texts = draft ?? published;
  const entries = appearanceKeys.map((key) => [key, definitionOf(key).schema.parse(texts[key])]);
  return Object.fromEntries(entries) as Appearance;
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

export async function load(args: ScreenArguments) {
  const { app, request } = args;
  const { published, draft } = await readAppearanceTexts(app);
  const { releases, change } = await readFormReleases(args, 'setting', appearanceKeys);
  const inRelease = [...change].map(([key, { value }]) => [key, value ?? '']);
  const values = {
    ...(releases.chosenId ? published : (draft ?? published)),
    ...Object.fromEntries(inRelease),
  };
  const inOrder = [...themes].sort(([name]) => (name === DEFAULT_THEME ? -1 : 0));
  const presets = inOrder.map(([name, { label, description, look }]) => ({
    name,
    label,
    description,
    look,
  }));
  const fields = appearanceKeys.map((key) => {
    const { label, help, control, choices } = definitionOf(key);
    return { key, label, help, control, choices };
  });
  const done = new URL(request.url).searchParams.get('done');
  const chosen = themes.has(values.preset) ? values.preset : DEFAULT_THEME;
  return { values, chosen, hasDraft: draft !== null, presets, fields, done, releases };
}

/** `save` stores a draft, `publish` publishes the appearance now or with a release, `discard` drops the draft. */
export async function act(args: ActionArguments): Promise<Done | ActionResult> {
  const { app, form, user, address, adminContext } = args;
  const by = byUser(user, address);
  const back = (done: string) => ({
    location: `${adminUrl(adminContext.adminPath, 'appearance')}?done=${done}`,
  });
  const intent = form.values.intent ?? 'save';
  if (intent === 'discard') {
    await changeSettings(app, { appearance_draft: '' }, by);
    return back('discarded');
  }
  if (intent !== 'save' && intent !== 'publish') throw unknownIntent();
  const { published, draft } = await readAppearanceTexts(app);
  const texts = checked({ ...(draft ?? published), ...submittedIn(form.values) });
  if (intent === 'save') {
    await changeSettings(app, { appearance_draft: JSON.stringify(texts) }, by);
    return back('saved');
  }
  const page = adminUrl(adminContext.adminPath, 'appearance');
  const savedToRelease = await saveToRelease(args, page, () => wantedSettings(texts));
  if (savedToRelease) return savedToRelease;
  await changeSettings(app, { ...texts, appearance_draft: '' }, by);
  return back('published');
}

function submittedIn(values: Readonly<Record<string, string>>): Partial<AppearanceTexts> {
  return Object.fromEntries(appearanceKeys.flatMap((key) => (key in values ? [[key, values[key]]] : [])));
}

/** Validates a submitted appearance. @throws AppError `invalid_input` with an error beside each wrong field. */
function checked(texts: AppearanceTexts): AppearanceTexts {
  const errors: FieldErrors = {};
  for (const key of appearanceKeys) {
    const parsed = definitionOf(key).schema.safeParse(texts[key]);
    if (!parsed.success) errors[key] = parsed.error.issues.map(messageOfIssue);
  }
  if (texts.preset !== '' && !themes.has(texts.preset)) errors.preset = ['Choose a preset.'];
  const problem = errors.custom_css ? null : customCssProblem(texts.custom_css);
  if (problem) errors.custom_css = [problem];
  if (Object.keys(errors).length > 0)
    throw new AppError('invalid_input', 'There is a problem with some fields.', { fields: errors });
  return texts;
}
