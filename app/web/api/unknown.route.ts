import { AppError } from '#app/platform/errors.ts';
import { apiError } from '#app/platform/http/responses.ts';

export const loader = () => apiError(new AppError('not_found', 'Not found.'));

export const action = loader;
