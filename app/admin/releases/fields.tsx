import type { AdminContext } from '#app/admin/frame/screen.ts';
import type { FieldErrors } from '#app/platform/errors.ts';
import { TextField } from '#app/ui/field.tsx';
import { useWords } from '#app/ui/words.ts';

/** A release's name and time. */
export function ReleaseFields({
  values,
  errors,
  adminContext,
}: {
  values: Readonly<Record<string, string>>;
  errors: FieldErrors;
  adminContext: Pick<AdminContext, 'timeZone'>;
}) {
  const t = useWords();
  return (
    <>
      <TextField
        name="name"
        label="Name"
        required
        maxLength={120}
        autoComplete="off"
        defaultValue={values.name}
        errors={errors.name}
      />
      <TextField
        name="publishAt"
        label="Publication time"
        type="datetime-local"
        defaultValue={values.publishAt}
        errors={errors.publishAt}
        help={t('{timeZone} time', { timeZone: adminContext.timeZone })}
      />
    </>
  );
}
