import type { IconName } from '#app/ui/icon.tsx';

export interface NavigationEntry {
  /** Id of a screen. The entry is shown only to users who may open it. */
  screen: string;
  label: string;
  icon: IconName;
  segments: string[];
  /** Further screens on which this entry is marked as the current one. */
  below?: string[];
}

/** The backend's navigation, in groups. */
export const navigation: NavigationEntry[][] = [
  [
    { screen: 'dashboard', label: 'Dashboard', icon: 'dashboard', segments: [] },
    {
      screen: 'posts',
      label: 'Posts',
      icon: 'posts',
      segments: ['posts'],
      below: ['editor', 'publish', 'bulk', 'revisions', 'previews'],
    },
    { screen: 'calendar', label: 'Calendar', icon: 'calendar', segments: ['calendar'] },
    {
      screen: 'releases',
      label: 'Releases',
      icon: 'release',
      segments: ['releases'],
      below: ['release', 'new-release'],
    },
    { screen: 'time', label: 'Time travel', icon: 'time', segments: ['time'] },
    { screen: 'media', label: 'Media', icon: 'media', segments: ['media'], below: ['media-item'] },
    { screen: 'trash', label: 'Trash', icon: 'trash', segments: ['trash'] },
  ],
  [
    {
      screen: 'categories',
      label: 'Categories',
      icon: 'category',
      segments: ['categories'],
      below: ['category'],
    },
    { screen: 'tags', label: 'Tags', icon: 'tag', segments: ['tags'], below: ['tag'] },
  ],
  [
    { screen: 'users', label: 'People', icon: 'people', segments: ['users'], below: ['user', 'new-user'] },
    { screen: 'appearance', label: 'Appearance', icon: 'appearance', segments: ['appearance'] },
    { screen: 'settings', label: 'Settings', icon: 'settings', segments: ['settings', 'site'] },
    { screen: 'system', label: 'System', icon: 'system', segments: ['system'] },
    { screen: 'audit', label: 'Audit log', icon: 'audit', segments: ['audit'] },
  ],
];
