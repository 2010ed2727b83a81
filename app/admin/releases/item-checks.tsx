import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { AdminContext } from '#app/admin/frame/screen.ts';
import { useWords } from '#app/ui/words.ts';
import type { ItemChecks } from './checks.server.ts';

/** What blocks a change, and warnings about it. */
export function Checks({ item, adminContext }: { item: ItemChecks; adminContext: AdminContext }) {
  const t = useWords();
  return (
    <>
      {item.problem ? (
        <p className="notice notice-error">
          <strong>{t('Blocks the release.')}</strong> {t.message(item.problem)}
        </p>
      ) : null}
      {item.deadLinks.length > 0 ? (
        <p className="notice notice-wait">
          {t('Links to pages that readers can’t see then: {deadLinks}', {
            deadLinks: item.deadLinks.join(', '),
          })}
        </p>
      ) : null}
      {item.rivals.map(({ id, name, address, bothPublish }) => (
        <p key={`${id} ${address}`} className="notice notice-wait">
          {t.rich(
            bothPublish
              ? 'Also in {link}: the earlier one publishes it.'
              : address === null
                ? 'Also in {link}: the later one wins.'
                : '{link} also uses the address {address}. Whichever is published second will be blocked.',
            {
              link: <a href={adminUrl(adminContext.adminPath, 'releases', id)}>{name}</a>,
              address: <code>{address}</code>,
            },
          )}
        </p>
      ))}
    </>
  );
}
