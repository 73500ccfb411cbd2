import type { ModelConfig } from './model-config.ts';
import { ModelError } from './model-error.ts';

/** How to reach an azure model. */
export interface AzureAddress {
  readonly baseURL?: string | undefined;
  readonly resourceName?: string | undefined;
  readonly apiVersion?: string | undefined;
  /** `/deployments/NAME/...`, instead of the v1 API with the name in the body. */
  readonly useDeploymentBasedUrls: boolean;
  readonly api: 'chat' | 'responses';
}

/** The version for an `endpoint` without one. */
const DEFAULT_API_VERSION = '2024-12-01-preview';

/**
 * `endpoint` is what the portal shows, and stands for the addresses of deployments. `base_url` and `resource_name`
 * stand for the v1 API, unless the version is dated: such a version belongs to deployments, which have no Responses
 * API.
 */
export function azureAddress(config: ModelConfig): AzureAddress {
  const { base_url, resource_name, api, endpoint } = config;
  const version = plainVersion(config.api_version);
  if (endpoint !== undefined) {
    const isChat = api !== 'responses';
    return {
      ...readEndpoint(endpoint.trim()),
      apiVersion: version ?? (isChat ? DEFAULT_API_VERSION : undefined),
      useDeploymentBasedUrls: isChat,
      api: isChat ? 'chat' : 'responses',
    };
  }
  const useDeploymentBasedUrls = version !== undefined && /^\d{4}-/.test(version);
  return {
    baseURL: base_url,
    resourceName: resource_name,
    apiVersion: version,
    useDeploymentBasedUrls,
    api: api ?? (useDeploymentBasedUrls ? 'chat' : 'responses'),
  };
}

/** It is often copied from an address: `api-version=2024-10-21`. */
function plainVersion(written: string | undefined): string | undefined {
  const version = written?.trim().replace(/^api[-_]?version\s*=\s*/i, '');
  return version === '' ? undefined : version;
}

function readEndpoint(endpoint: string): Pick<AzureAddress, 'baseURL' | 'resourceName'> {
  if (/^https?:\/\//i.test(endpoint) && URL.canParse(endpoint)) {
    if (/[?#]|\/deployments\//.test(endpoint))
      throw new ModelError(
        'setup',
        `\`endpoint\` must end before /openai/deployments, but is "${endpoint}": write the rest as \`deployment\` and \`version\``,
      );
    const address = endpoint.replace(/\/+$/, '');
    return { baseURL: address.endsWith('/openai') ? address : `${address}/openai` };
  }
  // It becomes a part of the host name.
  if (/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i.test(endpoint)) return { resourceName: endpoint };
  throw new ModelError(
    'setup',
    `\`endpoint\` must be the name of a resource, or begin with http:// or https://, but is "${endpoint}"`,
  );
}
