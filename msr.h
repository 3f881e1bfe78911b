/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * msr.h - model-specific registers: addresses and bit fields, sorted by address.
 *
 * A field is written as "high, low", so that the same word serves arithmetic,
 * FIELD(value, PLATFORM_INFO_BASE_RATIO), and the text templates of the header,
 * where it is turned into a string.  Nothing here depends on a CPU model:
 * the platform table of turbostat.c says which model has which register.
 *
 * Sources: "SDM 4" is the Intel 64 and IA-32 Architectures Software Developer's
 * Manual, volume 4 (tables 2-2 and those of the model named); "SDM 3B" its volume
 * 3B, chapter "Power and Thermal Management"; "PPR" the AMD Processor Programming
 * Reference of family 17h and later, section "MSRs".
 */
#ifndef TURBOSTAT_MSR_H
#define TURBOSTAT_MSR_H

#define MSR_SMI_COUNT			0x034	/* SDM 4, table 2-15 (Nehalem) */
#define MSR_IA32_FEAT_CTL		0x03a	/* SDM 4, table 2-2 */
#define  FEAT_CTL_LOCKED		0, 0
#define  FEAT_CTL_SGX_ENABLED		18, 18
#define MSR_IA32_UCODE_REV		0x08b	/* SDM 4, table 2-2; PPR MSR0000_008B */
#define  UCODE_REV_INTEL		63, 32
#define  UCODE_REV_AMD			31, 0
#define MSR_FSB_FREQ			0x0cd	/* SDM 4, table 2-6 (Silvermont) */
#define  FSB_FREQ_CODE			2, 0
#define  FSB_FREQ_CODE_AIRMONT		3, 0	/* the table of Airmont */
#define MSR_PLATFORM_INFO		0x0ce	/* SDM 4, table 2-15 and later */
#define  PLATFORM_INFO_BASE_RATIO	15, 8
#define  PLATFORM_INFO_TCC_PROGRAMMABLE	30, 30
#define  PLATFORM_INFO_MIN_RATIO	47, 40	/* maximum efficiency ratio */
#define MSR_PKG_CST_CONFIG_CONTROL	0x0e2	/* SDM 4, table 2-15 and later */
#define  PKG_CST_LIMIT			3, 0
#define  PKG_CST_LOCKED			15, 15
#define  PKG_CST_AUTO_CONVERSION	16, 16
#define  PKG_CST_DEMOTE_C3		25, 25
#define  PKG_CST_DEMOTE_C1		26, 26
#define  PKG_CST_UNDEMOTE_C3		27, 27
#define  PKG_CST_UNDEMOTE_C1		28, 28
#define MSR_IA32_MPERF			0x0e7	/* SDM 4, table 2-2; TSC-rate cycles in C0 */
#define MSR_IA32_APERF			0x0e8	/* SDM 4, table 2-2; actual cycles in C0 */
#define MSR_IA32_THERM_INTERRUPT	0x19b	/* SDM 4, table 2-2; degrees below TjMax */
#define  THERM_INT_THRESHOLD1		14, 8
#define  THERM_INT_ENABLE1		15, 15
#define  THERM_INT_THRESHOLD2		22, 16
#define  THERM_INT_ENABLE2		23, 23
#define MSR_IA32_THERM_STATUS		0x19c	/* SDM 4, table 2-2 */
#define  THERM_READOUT			22, 16	/* degrees C below TjMax */
#define  THERM_READOUT_8		23, 16	/* the same, where a model has 8 bits */
#define  THERM_RESOLUTION		30, 27	/* degrees C */
#define  THERM_VALID			31, 31
#define MSR_IA32_MISC_ENABLE		0x1a0	/* SDM 4, table 2-2 */
#define  MISC_ENABLE_TCC		3, 3
#define  MISC_ENABLE_PREFETCH_DISABLE	9, 9
#define  MISC_ENABLE_EIST		16, 16
#define  MISC_ENABLE_MWAIT		18, 18
#define  MISC_ENABLE_TURBO_DISABLE	38, 38
#define MSR_IA32_TEMPERATURE_TARGET	0x1a2	/* SDM 4, table 2-15 and later */
#define  TEMPERATURE_TARGET_TJMAX	23, 16	/* degrees C; an offset from bit 24 on, by model */
#define MSR_MISC_FEATURE_CONTROL	0x1a4	/* SDM 4, table 2-20 (Sandy Bridge) */
#define  PREFETCH_L2_DISABLE		0, 0
#define  PREFETCH_L2_PAIR_DISABLE	1, 1
#define  PREFETCH_L1_DISABLE		2, 2
#define  PREFETCH_L1_IP_DISABLE		3, 3
#define MSR_MISC_PWR_MGMT		0x1aa	/* SDM 4, table 2-15 and later */
#define  PWR_MGMT_EIST_COORD_DISABLE	0, 0
#define  PWR_MGMT_EPB_ENABLE		1, 1
#define  PWR_MGMT_OOB			8, 8
#define MSR_TURBO_RATIO_LIMIT		0x1ad	/* SDM 4: byte k = ratio of k+1 cores */
#define  KNL_TURBO_CORES		7, 1	/* Xeon Phi, table 2-56: of group 1 */
#define  KNL_TURBO_RATIO		15, 8
#define MSR_TURBO_RATIO_LIMIT1		0x1ae	/* 9 to 16 cores, or core counts of groups */
#define MSR_TURBO_RATIO_LIMIT2		0x1af	/* 17 and 18 cores (Haswell-EP) */
#define MSR_IA32_ENERGY_PERF_BIAS	0x1b0	/* SDM 4, table 2-2 */
#define  ENERGY_PERF_BIAS		3, 0
#define MSR_IA32_PACKAGE_THERM_STATUS	0x1b1	/* fields as MSR_IA32_THERM_STATUS */
#define MSR_IA32_PACKAGE_THERM_INTERRUPT 0x1b2	/* fields as MSR_IA32_THERM_INTERRUPT */
#define MSR_IA32_POWER_CTL		0x1fc	/* SDM 4, table 2-15 and later */
#define  POWER_CTL_BD_PROCHOT		0, 0	/* clients: an external PROCHOT slows the cores */
#define  POWER_CTL_C1E_PROMOTION	1, 1
#define  POWER_CTL_PREWAKE_DISABLE	30, 30
#define MSR_PKG_C3_RESIDENCY		0x3f8	/* SDM 4; residencies count at TSC rate */
#define MSR_PKG_C6_RESIDENCY		0x3f9
#define MSR_PKG_C7_RESIDENCY		0x3fa
#define MSR_ATOM_PKG_C6_RESIDENCY	0x3fa	/* SDM 4, table 2-6 (Silvermont) */
#define MSR_CORE_C3_RESIDENCY		0x3fc
#define MSR_CORE_C6_RESIDENCY		0x3fd
#define MSR_CORE_C7_RESIDENCY		0x3fe
#define MSR_KNL_CORE_C6_RESIDENCY	0x3ff	/* SDM 4, table 2-56 (Xeon Phi) */
#define MSR_VR_CURRENT_CONFIG		0x601	/* SDM 4, table 2-39 (Skylake) */
#define  VR_CURRENT_LIMIT		12, 0	/* 1/8 A; clients since Skylake: RAPL power units */
#define  VR_CURRENT_NONE		0x1fff	/* its largest value */
#define  VR_CURRENT_LOCKED		31, 31
#define MSR_RAPL_POWER_UNIT		0x606	/* SDM 3B, "RAPL Interfaces" */
#define  RAPL_UNIT_POWER		3, 0	/* 2^-n W; 2^n mW on Silvermont */
#define  RAPL_UNIT_ENERGY		12, 8	/* 2^-n J; 2^n uJ on Silvermont but Avoton */
#define  RAPL_UNIT_TIME			19, 16	/* 2^-n s; 1 s on Silvermont but Avoton */
#define MSR_PKGC3_IRTL			0x60a	/* SDM 4: interrupt response time limits */
#define  IRTL_VALUE			9, 0
#define  IRTL_UNIT			12, 10	/* 1 ns << 5n, n = 0 to 5 */
#define  IRTL_VALID			15, 15
#define MSR_PKGC6_IRTL			0x60b
#define MSR_PKGC7_IRTL			0x60c
#define MSR_PKG_C2_RESIDENCY		0x60d
#define MSR_PKG_POWER_LIMIT		0x610	/* SDM 3B, "Package RAPL Domain" */
#define  POWER_LIMIT_POWER		14, 0	/* RAPL power units */
#define  POWER_LIMIT_ENABLE		15, 15
#define  POWER_LIMIT_CLAMP		16, 16
#define  POWER_LIMIT_NONE		0x7fff	/* its largest value */
#define  POWER_LIMIT_WINDOW		23, 17	/* 2^Y (1 + Z/4) time units: Y 21:17, Z 23:22 */
#define  POWER_LIMIT_2			63, 32	/* second limit, same layout */
#define  POWER_LIMIT_LOCKED		31, 31
#define  PKG_POWER_LIMIT_LOCKED		63, 63
#define MSR_PKG_ENERGY_STATUS		0x611	/* 31:0, RAPL energy units, wraps */
#define MSR_PKG_PERF_STATUS		0x613	/* 31:0, RAPL time units throttled */
#define MSR_PKG_POWER_INFO		0x614
#define  POWER_INFO_TDP			14, 0	/* RAPL power units */
#define  POWER_INFO_MIN			30, 16
#define  POWER_INFO_MAX			46, 32
#define  POWER_INFO_WINDOW		54, 48	/* Y 52:48, Z 54:53, as POWER_LIMIT_WINDOW */
#define MSR_DRAM_POWER_LIMIT		0x618
#define MSR_DRAM_ENERGY_STATUS		0x619
#define MSR_DRAM_PERF_STATUS		0x61b
#define MSR_DRAM_POWER_INFO		0x61c
#define MSR_PKG_C8_RESIDENCY		0x630
#define MSR_PKG_C9_RESIDENCY		0x631
#define MSR_PKG_C10_RESIDENCY		0x632
#define MSR_PKGC8_IRTL			0x633
#define MSR_PKGC9_IRTL			0x634
#define MSR_PKGC10_IRTL			0x635
#define MSR_PP0_POWER_LIMIT		0x638	/* SDM 3B, "PP0/PP1 RAPL Domains" */
#define MSR_PP0_ENERGY_STATUS		0x639
#define MSR_PP0_POLICY			0x63a
#define  RAPL_POLICY			4, 0	/* 0 to 31 */
#define MSR_PP1_POWER_LIMIT		0x640
#define MSR_PP1_ENERGY_STATUS		0x641
#define MSR_PP1_POLICY			0x642
#define MSR_CONFIG_TDP_NOMINAL		0x648	/* SDM 4, table 2-25 (Ivy Bridge) */
#define  CONFIG_TDP_BASE_RATIO		7, 0
#define MSR_CONFIG_TDP_LEVEL_1		0x649
#define  CONFIG_TDP_LEVEL_TDP		14, 0	/* RAPL power units */
#define  CONFIG_TDP_LEVEL_RATIO		23, 16
#define  CONFIG_TDP_LEVEL_MAX		46, 32
#define  CONFIG_TDP_LEVEL_MIN		62, 48
#define MSR_CONFIG_TDP_LEVEL_2		0x64a
#define MSR_CONFIG_TDP_CONTROL		0x64b
#define  CONFIG_TDP_CONTROL_LEVEL	1, 0
#define  CONFIG_TDP_CONTROL_LOCKED	31, 31
#define MSR_TURBO_ACTIVATION_RATIO	0x64c
#define  TURBO_ACTIVATION_MAX		7, 0
#define  TURBO_ACTIVATION_LOCKED	31, 31
#define MSR_PLATFORM_ENERGY_STATUS	0x64d	/* SDM 4, table 2-39 (Skylake), psys */
#define MSR_SKL_CORE_PERF_LIMIT_REASONS 0x64f	/* SDM 4, table 2-39 (Skylake); as 0x690 */
#define MSR_SECONDARY_TURBO_RATIO_LIMIT	0x650	/* SDM 4, table 2-46 (Alder Lake), E-cores */
#define MSR_SECONDARY_TURBO_RATIO_LIMIT_CORES 0x651	/* their core counts */
#define MSR_PKG_WEIGHTED_CORE_C0_RES	0x658	/* SDM 4, table 2-39; TSC rate */
#define MSR_PKG_ANY_CORE_C0_RES		0x659
#define MSR_PKG_ANY_GFXE_C0_RES		0x65a
#define MSR_PKG_BOTH_CORE_GFXE_C0_RES	0x65b
#define MSR_CORE_C1_RES			0x660	/* SDM 4; TSC rate */
#define MSR_MODULE_C6_RES		0x664	/* SDM 4; TSC rate */
#define MSR_CC6_DEMOTION_POLICY_CONFIG	0x668	/* SDM 4, table 2-7 (Silvermont) */
#define MSR_MC6_DEMOTION_POLICY_CONFIG	0x669
#define  DEMOTION_ENABLED		0, 0
#define MSR_ATOM_CORE_RATIOS		0x66a	/* SDM 4, table 2-7 */
#define  ATOM_RATIO_MIN			5, 0
#define  ATOM_RATIO_LFM			13, 8
#define  ATOM_RATIO_BASE		21, 16
#define MSR_ATOM_CORE_TURBO_RATIOS	0x66c
#define MSR_CORE_PERF_LIMIT_REASONS	0x690	/* SDM 4, table 2-29 (Haswell); 15:0 */
#define  LIMIT_ACTIVE			15, 0	/* reasons in force; see struct reasons */
#define  LIMIT_LOGGED			31, 16	/* since they were last cleared */
#define MSR_GFX_PERF_LIMIT_REASONS	0x6b0	/* active, 31:16 logged since boot */
#define MSR_RING_PERF_LIMIT_REASONS	0x6b1
#define MSR_PM_ENABLE			0x770	/* SDM 3B, "Hardware-Controlled Performance" */
#define  PM_ENABLE_HWP			0, 0
#define MSR_HWP_CAPABILITIES		0x771
#define  HWP_CAP_HIGHEST		7, 0
#define  HWP_CAP_GUARANTEED		15, 8
#define  HWP_CAP_EFFICIENT		23, 16
#define  HWP_CAP_LOWEST			31, 24
#define MSR_HWP_REQUEST_PKG		0x772
#define  HWP_REQ_MIN			7, 0
#define  HWP_REQ_MAX			15, 8
#define  HWP_REQ_DESIRED		23, 16
#define  HWP_REQ_EPP			31, 24
#define  HWP_REQ_WINDOW			41, 32
#define  HWP_REQ_PKG_CONTROL		42, 42
#define MSR_HWP_INTERRUPT		0x773
#define  HWP_INT_GUARANTEED		0, 0
#define  HWP_INT_EXCURSION		1, 1
#define  HWP_INT_HIGHEST		2, 2	/* highest performance changed */
#define  HWP_INT_PECI			3, 3	/* PECI override */
#define MSR_HWP_REQUEST			0x774
#define MSR_HWP_STATUS			0x777
#define  HWP_STATUS_GUARANTEED		0, 0
#define  HWP_STATUS_EXCURSION		2, 2
#define MSR_AMD_PSTATE_0		0xc0010064	/* PPR, "Core::X86::Msr::PStateDef" */
#define  AMD_PSTATE_ENABLED		63, 63
#define  AMD_PSTATE_FID			7, 0
#define  AMD_PSTATE_FID_1A		11, 0	/* from family 1Ah on, steps of 5 MHz */
#define  AMD_PSTATE_DID			13, 8
#define MSR_AMD_RAPL_POWER_UNIT		0xc0010299	/* PPR, fields as 0x606 */
#define MSR_AMD_CORE_ENERGY_STATUS	0xc001029a	/* 31:0, per core */
#define MSR_AMD_PKG_ENERGY_STATUS	0xc001029b	/* 31:0, per package */
#define MSR_AMD_CPPC_CAP1		0xc00102b0	/* PPR, "CPPC Capability 1" */
#define  CPPC_CAP_LOWEST		7, 0
#define  CPPC_CAP_LOW_NONLINEAR		15, 8
#define  CPPC_CAP_NOMINAL		23, 16
#define  CPPC_CAP_HIGHEST		31, 24
#define MSR_AMD_CPPC_REQ		0xc00102b3	/* PPR, "CPPC Request" */
#define  CPPC_REQ_MAX			7, 0
#define  CPPC_REQ_MIN			15, 8
#define  CPPC_REQ_DESIRED		23, 16
#define  CPPC_REQ_EPP			31, 24

#endif
