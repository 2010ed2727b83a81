import { choosePasswordScreen } from './choose-password.server.ts';

export const { load, act } = choosePasswordScreen('reset');
