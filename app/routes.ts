import { index, layout, route, type RouteConfig } from '@remix-run/route-config';
import { publicAddresses, type PublicAddress } from './platform/http/public-addresses.ts';

const served = publicAddresses.flatMap(({ pattern, route }) => (route ? [{ pattern, route }] : []));
const isPage = ({ route }: Pick<PublicAddress, 'route'>) => route?.endsWith('.tsx');

/** Every URL of the product: the table of public addresses, and the splat for all other URLs. */
export default [
  layout('site/shell/layout.route.tsx', served.filter(isPage).map(toRoute)),
  ...served.filter((address) => !isPage(address)).map(toRoute),

  // The backend at its current path, stored redirects, else 404.
  route('*', 'admin/admin.route.tsx'),
] satisfies RouteConfig;

function toRoute({ pattern, route: file }: Required<Pick<PublicAddress, 'pattern' | 'route'>>) {
  return pattern === '' ? index(file) : route(pattern, file);
}
