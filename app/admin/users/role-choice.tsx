import type { Role } from '#app/people/roles.ts';
import { type Message } from '#app/platform/message.ts';
import { Choice } from '#app/ui/field.tsx';
import { useWords } from '#app/ui/words.ts';

const roleWords: Record<Role, string> = {
  administrator: 'Administrator: everything',
  editor: 'Editor: all posts, categories, tags and media',
  author: 'Author: own posts',
  contributor: 'Contributor: own drafts, no publishing',
};

export function RoleChoice({
  roles,
  defaultValue,
  errors,
}: {
  roles: readonly Role[];
  defaultValue?: string;
  errors?: Message[];
}) {
  const t = useWords();
  return (
    <Choice name="role" label="Role" defaultValue={defaultValue ?? 'author'} errors={errors}>
      {roles.map((role) => (
        <option key={role} value={role}>
          {t(roleWords[role])}
        </option>
      ))}
    </Choice>
  );
}
