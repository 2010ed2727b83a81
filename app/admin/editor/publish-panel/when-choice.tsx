import type { AdminContext } from '#app/admin/frame/screen.ts';
import { distance, roughInstant } from '#app/admin/times/local.ts';
import { OccurrenceChoice } from '#app/admin/times/occurrence-choice.tsx';
import type { PublicationTimes } from '#app/admin/times/publication.ts';
import { shortHour, shortTime } from '#app/admin/times/short.ts';
import { type Message } from '#app/platform/message.ts';
import { TextField } from '#app/ui/field.tsx';
import { useWords } from '#app/ui/words.ts';

/** When to publish a post: `now`, a suggested local time, or `own` with a typed time. */
export interface When {
  kind: 'now' | 'suggested' | 'own';
  /** Local time; empty for `now`. */
  time: string;
  /** Which of two equal local times: `first` or `second`. */
  occurrence: string;
}

/** Radio buttons for now, the suggested times and a typed time, with the zone in words. */
export function WhenChoice({
  when,
  onChange,
  times: { suggestions, now, zone },
  errors,
  adminContext,
}: {
  when: When;
  onChange: (when: When) => void;
  times: PublicationTimes;
  errors: Message[] | undefined;
  adminContext: AdminContext;
}) {
  const t = useWords();
  const { timeZone, language } = adminContext;
  const option = (kind: When['kind'], time: string) => ({
    type: 'radio',
    name: 'when',
    checked: when.kind === kind && (kind !== 'suggested' || when.time === time),
    onChange: () => onChange({ ...when, kind, time }),
  });
  const chosen = roughInstant(when.time, timeZone);
  const present = roughInstant(now, timeZone);
  const distanceText = chosen && present && distance(chosen, present, language);
  return (
    <fieldset className="when">
      <legend>{t('When')}</legend>
      <label className="check">
        <input {...option('now', '')} /> {t('Now')}
      </label>
      {suggestions.map(({ label, value }) => (
        <label key={value} className="check">
          <input {...option('suggested', value)} /> {t(label)}{' '}
          <span className="hint">{shortTime(value, adminContext)}</span>
        </label>
      ))}
      <label className="check">
        <input {...option('own', when.time)} /> {t('Custom time')}
      </label>
      {when.kind === 'own' ? (
        <>
          <TextField
            id="publish-time"
            name="time"
            type="datetime-local"
            label="Publication time"
            value={when.time}
            onChange={({ target }) => onChange({ ...when, kind: 'own', time: target.value })}
            errors={errors}
            help={distanceText ?? undefined}
          />
          <OccurrenceChoice
            id="publish-occurrence"
            name="occurrence"
            value={when.occurrence}
            onChange={({ target }) => onChange({ ...when, occurrence: target.value })}
            local={when.time}
            adminContext={adminContext}
          />
        </>
      ) : null}
      <p className="hint">
        {t('Times are {zone} ({timeZone})', { zone, timeZone })}
        {t(', where it is {slice} now.', { slice: shortHour(now, adminContext) })}
      </p>
    </fieldset>
  );
}
