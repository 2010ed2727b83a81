import type { FieldErrors } from '#app/platform/errors.ts';
import { PictureField } from '#app/admin/media/picture-field.tsx';
import { TextArea, TextField } from '#app/ui/field.tsx';

/** The fields of a category or tag, new or not. */
export function TermFields({
  values,
  errors,
  adminPath,
}: {
  values: Record<string, string | undefined>;
  errors: FieldErrors;
  adminPath: string;
}) {
  const field = (name: string) => ({ name, defaultValue: values[name], errors: errors[name] });
  return (
    <>
      <TextField {...field('name')} label="Name" required maxLength={100} />
      <TextField
        {...field('slug')}
        label="Slug"
        help="Its part of the address. Leave blank to use the name"
      />
      <TextArea {...field('description')} label="Description" rows={3} help="Shown at the top of its page" />
      <PictureField
        {...field('picture')}
        adminPath={adminPath}
        label="Picture"
        help="Address of a picture in the media library, such as /uploads/2026/11/….jpg. Shown at the top of its page and when it is shared."
      />
    </>
  );
}
