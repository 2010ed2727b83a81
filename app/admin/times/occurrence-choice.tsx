import type { SelectHTMLAttributes } from 'react';
import type { AdminContext } from '#app/admin/frame/screen.ts';
import { offsetName } from '#app/platform/time/repeated-hour.ts';
import { Choice } from '#app/ui/field.tsx';
import { useWords } from '#app/ui/words.ts';
import { occurrences, shortHour } from './local.ts';

/** Asks which of two equal local times is meant when the clocks go back. Hidden for any other time. */
export function OccurrenceChoice({
  local,
  adminContext,
  ...select
}: {
  id?: string;
  name: string;
  /** The local time in the field beside this one. */
  local: string;
  adminContext: Pick<AdminContext, 'timeZone' | 'language'>;
} & SelectHTMLAttributes<HTMLSelectElement>) {
  const t = useWords();
  const both = occurrences(local, adminContext.timeZone);
  const offset = (time: Date | undefined) => time && offsetName(time, adminContext);
  return (
    <div hidden={both.length < 2}>
      <Choice
        {...select}
        label={t('Which {slice}', { slice: shortHour(local, adminContext) })}
        help="The clocks go back that night, so this time occurs twice"
      >
        <option value="first">{t('The first, {offset}', { offset: offset(both[0]) })}</option>
        <option value="second">{t('The second, {offset}', { offset: offset(both[1]) })}</option>
      </Choice>
    </div>
  );
}
