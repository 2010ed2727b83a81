import { roles, type Role } from '#app/people/roles.ts';
import { type Message } from '#app/platform/message.ts';
import { Choice, Options } from '#app/ui/field.tsx';
import { useWords } from '#app/ui/words.ts';

const roleWords: Record<Role, string> = {
  administrator: 'Administrator: everything',
  editor: 'Editor: all posts, categories, tags and media',
  author: 'Author: own posts',
  contributor: 'Contributor: own drafts, no publishing',
};

export function RoleChoice({
  defaultValue = 'author',
  ...field
}: {
  name: string;
  defaultValue?: string;
  errors?: Message[];
}) {
  const t = useWords();
  return (
    <Choice {...field} label="Role" defaultValue={defaultValue}>
      <Options of={roles.map((role) => [role, t(roleWords[role])])} />
    </Choice>
  );
}
